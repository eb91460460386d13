#include "instrument/timeline/launch_counts.h"

#include <algorithm>
#include <map>
#include <vector>

#include "instrument/timeline/common_count.h"

namespace syncsniff::timeline {
namespace {

using trace::SiteCountRecord;

constexpr size_t kManyKinds = 8;    // that share the number of steps
constexpr size_t kFewKinds = 4;     // that come less often than a step
constexpr size_t kFewOfSteps = 10;  // one kind that comes less often in so many that come once a step
constexpr double kLasts = 0.2;      // of the time between the first launch and the last: a start-up may be long
constexpr double kEnds = 0.9;       // of that time have gone by when a kind is launched last

struct Span {
  uint64_t first_ns = UINT64_MAX, last_ns = 0;

  void add(const SiteCountRecord& one) {
    first_ns = std::min(first_ns, one.first_ns);
    last_ns = std::max(last_ns, one.last_ns);
  }
  double length() const { return static_cast<double>(last_ns - first_ns); }
};

bool is_launch(const SiteCountRecord& one) {
  return one.call_class == static_cast<uint8_t>(trace::CallClass::kLaunch) && one.last_ns >= one.first_ns;
}

// Launches of a device that go on until the end of the run: no start-up.
std::vector<const SiteCountRecord*> lasting_launches(const reader::Trace& trace, uint32_t device) {
  Span all;
  for (const auto& event : trace.site_counts)
    if (event.record.device == device && is_launch(event.record)) all.add(event.record);
  std::vector<const SiteCountRecord*> lasting;
  for (const auto& event : trace.site_counts) {
    const SiteCountRecord& one = event.record;
    if (one.device != device || !is_launch(one) || one.count < kMinSteps) continue;
    const bool lasts = static_cast<double>(one.last_ns - one.first_ns) >= kLasts * all.length();
    if (lasts && static_cast<double>(one.last_ns - all.first_ns) >= kEnds * all.length()) lasting.push_back(&one);
  }
  return lasting;
}

// Whether the steps are a multiple of the number, up to one that the run's beginning or end has cut off.
bool divides(size_t count, size_t steps) {
  constexpr size_t kFew = 8;  // one more or less makes any number a multiple of so few
  const size_t rest = steps % count;
  return rest == 0 || (count >= kFew && (rest == 1 || rest + 1 == count));
}

}  // namespace

std::optional<LaunchSteps> count_common_launches(const reader::Trace& trace, uint32_t device) {
  const std::vector<const SiteCountRecord*> launches = lasting_launches(trace, device);
  std::vector<uint64_t> numbers;
  for (const SiteCountRecord* one : launches) numbers.push_back(one->count);
  LaunchSteps steps;
  steps.device = device;
  const uint64_t usual = most_common(numbers, steps.agreed);
  Span span;
  size_t kinds = 0;
  for (const SiteCountRecord* one : launches) {
    if (!same_count(one->count, usual)) continue;
    ++kinds;
    steps.count = std::max<size_t>(steps.count, one->count);  // the run may have ended within a step
    steps.stacks.push_back(one->stack);
    span.add(*one);
  }
  if (kinds < kManyKinds || span.last_ns <= span.first_ns) return std::nullopt;
  steps.period.kinds = static_cast<double>(kinds);
  steps.first_ns = span.first_ns;
  steps.last_ns = span.last_ns;
  steps.mean_ns = (span.last_ns - span.first_ns) / (steps.count - 1);
  return steps;
}

std::optional<RarerLaunches> find_rarer_launches(const reader::Trace& trace, uint32_t device, size_t steps) {
  std::map<size_t, size_t> kinds;  // by number of launches
  size_t each_step = 0;
  for (const SiteCountRecord* one : lasting_launches(trace, device)) {
    const size_t count = one->count;
    each_step += same_count(count, steps);
    if (2 * count <= steps + 1 && divides(count, steps)) ++kinds[count];
  }
  RarerLaunches found;
  for (const auto& [count, number] : kinds)
    if (number > found.kinds) found = {count, (steps + count / 2) / count, number};
  if (found.kinds < kFewKinds || found.kinds * kFewOfSteps < each_step) return std::nullopt;
  return found;
}

}  // namespace syncsniff::timeline
