#include "instrument/timeline/optimizer_steps.h"

#include <algorithm>
#include <vector>

#include "instrument/timeline/common_count.h"

namespace syncsniff::timeline {

std::optional<LaunchSteps> count_optimizer_steps(const reader::Trace& trace, const reader::Places& places,
                                                 uint32_t device) {
  std::vector<const trace::SiteCountRecord*> launches;
  std::vector<uint64_t> numbers;
  for (const auto& event : trace.site_counts) {
    const trace::SiteCountRecord& count = event.record;
    if (count.device != device || count.call_class != static_cast<uint8_t>(trace::CallClass::kLaunch) ||
        places.part(count.stack) != reader::StepPart::kOptimizer)
      continue;
    launches.push_back(&count);
    numbers.push_back(count.count);
  }
  LaunchSteps steps;
  steps.device = device;
  steps.period.by_optimizer = true;
  steps.period.kinds = static_cast<double>(launches.size());
  const uint64_t usual = most_common(numbers, steps.agreed);
  // The first step may lack what the others have: momentum begins as a copy of the gradient.
  for (const uint64_t number : numbers)
    if (same_count(number, usual)) steps.count = std::max<size_t>(steps.count, number);
  for (const trace::SiteCountRecord* one : launches) {
    if (one->count != steps.count) continue;
    steps.stacks.push_back(one->stack);
    steps.first_ns = steps.first_ns == 0 ? one->first_ns : std::min(steps.first_ns, one->first_ns);
    steps.last_ns = std::max(steps.last_ns, one->last_ns);
  }
  if (steps.count < kMinSteps || steps.last_ns <= steps.first_ns) return std::nullopt;
  steps.mean_ns = (steps.last_ns - steps.first_ns) / (steps.count - 1);
  return steps;
}

}  // namespace syncsniff::timeline
