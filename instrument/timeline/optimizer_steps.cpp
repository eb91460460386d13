#include "instrument/timeline/optimizer_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "instrument/timeline/common_count.h"

namespace syncsniff::timeline {
namespace {

// An optimizer that updates one parameter after the other launches more often than it steps, mostly many times more.
constexpr uint64_t kMostLaunchesAStep = 8;
// LBFGS evaluates its closure 20 times a step by default.
constexpr uint64_t kMostEvaluations = 50;
// Least share (1 in 8) of the launches: an optimizer may have a few that come every other step.
constexpr size_t kFewest = 8;
constexpr double kLeastOfSpan =
    0.8;  // least share of the time between the first step and the last; a warm-up is shorter

// The counts of launches that optimizers made on the device.
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

struct OptimizerLaunches {
  size_t kinds = 0;
  uint64_t first_ns = UINT64_MAX, last_ns = 0;

  void add(const trace::SiteCountRecord& one) {
    ++kinds;
    first_ns = std::min(first_ns, one.first_ns);
    last_ns = std::max(last_ns, one.last_ns);
  }
  bool last(const LaunchSteps& steps) const {
    return static_cast<double>(last_ns - first_ns) >=
           kLeastOfSpan * static_cast<double>(steps.last_ns - steps.first_ns);
  }
};

// How many times the smaller number fits into the greater; 0 if that is no multiple, give or take one incomplete step.
uint64_t multiple(uint64_t a, uint64_t b) {
  const uint64_t more = std::max(a, b), fewer = std::min(a, b);
  const uint64_t times = (more + fewer / 2) / fewer;
  const uint64_t apart = more > times * fewer ? more - times * fewer : times * fewer - more;
  return apart <= times ? times : 0;
}

}  // namespace

std::string other_optimizer(const reader::Trace& trace, const reader::Places& places, const LaunchSteps& steps) {
  std::set<std::string> own;
  for (const uint32_t stack : steps.stacks) own.insert(reader::place_text(places.user_place(stack)));
  std::map<std::pair<std::string, uint64_t>, OptimizerLaunches> others;  // by line and count
  std::map<uint64_t, OptimizerLaunches> all;  // by count alone; a closure has lines of its own
  size_t kinds = 0;
  for (const trace::SiteCountRecord* one : optimizer_launches(trace, places, steps.device)) {
    if (one->count < kMinSteps) continue;
    const std::string line = reader::place_text(places.user_place(one->stack));
    if (own.count(line) == 0) others[{line, one->count}].add(*one);
    all[one->count].add(*one);
    ++kinds;
  }
  for (const auto& [at, other] : others) {
    const uint64_t times = multiple(steps.count, at.second);
    if (other.last(steps) && times >= 2 && times <= kMostLaunchesAStep)
      return "the optimizer at " + at.first + " steps " + std::to_string(at.second) + " times";
  }
  for (const auto& [count, once] : all) {
    const uint64_t times = count < steps.count ? multiple(steps.count, count) : 0;
    if (once.last(steps) && once.kinds * kFewest >= kinds && times >= 2 && times <= kMostEvaluations)
      return "a good part of the optimizer's launches comes " + std::to_string(count) +
             " times, as the first evaluation of a closure does, or another optimizer's step";
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
  // The first step may lack launches that the others have: momentum begins as a copy of the gradient.
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
