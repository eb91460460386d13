#include "instrument/timeline/launch_counts.h"

#include <algorithm>
#include <map>
#include <vector>

#include "instrument/timeline/common_count.h"
#include "instrument/timeline/launch_sequence.h"

namespace syncsniff::timeline {
namespace {

using trace::SiteCountRecord;

constexpr size_t kManyStepKinds = 8;   // that share the number of steps
constexpr size_t kFewRareKinds = 4;    // that come less often than a step
constexpr size_t kFewOfSteps = 10;     // one kind that comes less often in so many that come once a step
constexpr double kLeastLasting = 0.2;  // of the time between the first launch and the last: a start-up may be long
constexpr double kEnds = 0.9;          // of that time have gone by when a kind is launched last

struct Span {
  uint64_t first_ns = UINT64_MAX, last_ns = 0;

  template <class Times>
  void add(const Times& one) {
    first_ns = std::min(first_ns, one.first_ns);
    last_ns = std::max(last_ns, one.last_ns);
  }
  double length() const { return static_cast<double>(last_ns - first_ns); }
};

// Launches of one kind, of all threads together.
struct Kind {
  uint64_t count = 0;
  Span span;
};

std::map<EnqueueKey, Kind> kinds_of(const reader::Trace& trace, uint32_t device) {
  std::map<EnqueueKey, Kind> kinds;
  for (const auto& event : trace.site_counts) {
    const SiteCountRecord& one = event.record;
    const bool is_launch = one.call_class == static_cast<uint8_t>(trace::CallClass::kLaunch);
    // Stack 0: launches from many places, which had no room in the shim's table.
    if (one.device != device || !is_launch || one.stack == 0 || one.last_ns < one.first_ns) continue;
    Kind& kind = kinds[{one.stack, one.api, one.object}];
    kind.count += one.count;
    kind.span.add(one);
  }
  return kinds;
}

// Kinds that the device launched until the end of the run: no start-up.
std::map<EnqueueKey, Kind> lasting_kinds(const reader::Trace& trace, uint32_t device) {
  std::map<EnqueueKey, Kind> kinds = kinds_of(trace, device);
  Span all;
  for (const auto& [key, kind] : kinds) all.add(kind.span);
  std::erase_if(kinds, [&](const auto& entry) {
    const Kind& kind = entry.second;
    return kind.count < kMinSteps || kind.span.length() < kLeastLasting * all.length() ||
           static_cast<double>(kind.span.last_ns - all.first_ns) < kEnds * all.length();
  });
  return kinds;
}

// Whether the steps are a multiple of the number, up to one that the run's beginning or end has cut off.
bool divides(size_t count, size_t steps) {
  constexpr size_t kFew = 8;  // one more or less makes any number a multiple of so few
  const size_t rest = steps % count;
  return rest == 0 || (count >= kFew && (rest == 1 || rest + 1 == count));
}

}  // namespace

uint32_t busiest_device(const reader::Trace& trace) {
  std::map<uint32_t, uint64_t> launches;
  for (const auto& event : trace.site_counts)
    if (event.record.call_class == static_cast<uint8_t>(trace::CallClass::kLaunch))
      launches[event.record.device] += event.record.count;
  const auto most = std::max_element(launches.begin(), launches.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != launches.end() ? most->first : 0;
}

std::optional<LaunchSteps> count_common_launches(const reader::Trace& trace, uint32_t device) {
  const std::map<EnqueueKey, Kind> kinds = lasting_kinds(trace, device);
  std::vector<uint64_t> numbers;
  for (const auto& [key, kind] : kinds) numbers.push_back(kind.count);
  LaunchSteps steps;
  steps.device = device;
  const uint64_t usual = most_common(numbers, steps.agreed);
  Span span;
  size_t sharing = 0;
  for (const auto& [key, kind] : kinds) {
    if (!same_count(kind.count, usual)) continue;
    ++sharing;
    steps.count = std::max<size_t>(steps.count, kind.count);  // the run may have ended within a step
    steps.stacks.push_back(key.stack);
    span.add(kind.span);
  }
  if (sharing < kManyStepKinds || steps.count > kMostSteps || span.last_ns <= span.first_ns) return std::nullopt;
  steps.period.kinds = static_cast<double>(sharing);
  steps.first_ns = span.first_ns;
  steps.last_ns = span.last_ns;
  steps.mean_ns = (span.last_ns - span.first_ns) / (steps.count - 1);
  return steps;
}

std::optional<RarerLaunches> find_rarer_launches(const reader::Trace& trace, uint32_t device, size_t steps) {
  std::map<size_t, size_t> kinds;  // by number of launches
  size_t each_step = 0;
  for (const auto& [key, kind] : lasting_kinds(trace, device)) {
    each_step += same_count(kind.count, steps);
    if (kind.count <= (steps + 1) / 2 && divides(kind.count, steps)) ++kinds[kind.count];
  }
  RarerLaunches found;
  for (const auto& [count, number] : kinds)
    if (number > found.kinds) found = {count, (steps + count / 2) / count, number};
  if (found.kinds < kFewRareKinds || found.kinds * kFewOfSteps < each_step) return std::nullopt;
  return found;
}

}  // namespace syncsniff::timeline
