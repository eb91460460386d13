#include "instrument/timeline/optimizer_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "instrument/timeline/common_count.h"

namespace syncsniff::timeline {
namespace {

// An optimizer that works on one parameter after the other launches more often than it steps, mostly many times more.
constexpr uint64_t kMostTimes = 8;
constexpr double kLasts = 0.8;  // of the time between the first step and the last: it is no warm-up

// What optimizers launched on the device.
std::vector<const trace::SiteCountRecord*> optimizer_launches(const reader::Trace& trace, const reader::Places& places,
                                                              uint32_t device) {
  std::vector<const trace::SiteCountRecord*> launches;
  for (const auto& event : trace.site_counts) {
    const trace::SiteCountRecord& count = event.record;
    if (count.device == device && count.call_class == static_cast<uint8_t>(trace::CallClass::kLaunch) &&
        places.part(count.stack) == reader::StepPart::kOptimizer)
      launches.push_back(&count);
  }
  return launches;
}

}  // namespace

std::string other_optimizer(const reader::Trace& trace, const reader::Places& places, const LaunchSteps& steps) {
  std::set<std::string> own;
  for (const uint32_t stack : steps.stacks) own.insert(reader::place_text(places.user_place(stack)));
  struct Launches {
    uint64_t first_ns = UINT64_MAX, last_ns = 0;
  };
  std::map<std::pair<std::string, uint64_t>, Launches> others;  // by line and count
  for (const trace::SiteCountRecord* one : optimizer_launches(trace, places, steps.device)) {
    const std::string line = reader::place_text(places.user_place(one->stack));
    if (one->count < kMinSteps || own.count(line) != 0) continue;
    Launches& other = others[{line, one->count}];
    other.first_ns = std::min(other.first_ns, one->first_ns);
    other.last_ns = std::max(other.last_ns, one->last_ns);
  }
  const auto whole = static_cast<double>(steps.last_ns - steps.first_ns);
  for (const auto& [at, other] : others) {
    const uint64_t more = std::max<uint64_t>(steps.count, at.second),
                   fewer = std::min<uint64_t>(steps.count, at.second);
    const uint64_t times = (more + fewer / 2) / fewer;
    const uint64_t apart = more > times * fewer ? more - times * fewer : times * fewer - more;
    const bool lasts = static_cast<double>(other.last_ns - other.first_ns) >= kLasts * whole;
    if (lasts && times >= 2 && times <= kMostTimes && apart <= times)
      return "the optimizer at " + at.first + " steps " + std::to_string(at.second) + " times";
  }
  return {};
}

std::optional<LaunchSteps> count_optimizer_steps(const reader::Trace& trace, const reader::Places& places,
                                                 uint32_t device) {
  const std::vector<const trace::SiteCountRecord*> launches = optimizer_launches(trace, places, device);
  std::vector<uint64_t> numbers;
  for (const trace::SiteCountRecord* one : launches) numbers.push_back(one->count);
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
