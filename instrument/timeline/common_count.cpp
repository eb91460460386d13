#include "instrument/timeline/common_count.h"

#include <algorithm>
#include <map>

#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

uint64_t most_common(const std::vector<uint64_t>& counts, double& agreed) {
  std::map<uint64_t, size_t> times;
  for (const uint64_t count : counts) ++times[count];
  uint64_t best = 0;
  size_t most = 0;
  for (const auto& [count, number] : times)
    if (number >= most) most = number, best = count;
  const auto near =
      std::count_if(counts.begin(), counts.end(), [&](uint64_t count) { return same_count(count, best); });
  agreed = counts.empty() ? 0 : static_cast<double>(near) / static_cast<double>(counts.size());
  return best;
}

}  // namespace syncsniff::timeline
