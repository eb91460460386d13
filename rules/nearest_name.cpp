#include "rules/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace syncsniff {
namespace {

constexpr size_t kLongestName = 100;  // nobody types a longer one

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known) {
  std::string best;
  if (wanted.size() > kLongestName) return best;
  size_t best_distance = std::max<size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& name : known) {
    size_t distance = edit_distance(wanted, name);
    if (distance < best_distance) best = name, best_distance = distance;
  }
  return best;
}

}  // namespace syncsniff
