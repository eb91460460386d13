#include "instrument/timeline/launch_steps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "instrument/timeline/common_count.h"
#include "instrument/timeline/launch_bursts.h"
#include "instrument/timeline/launch_sequence.h"
#include "instrument/timeline/median.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;
using trace::CallClass;

constexpr size_t kMostDevices = 64;
constexpr double kSureAlike = 0.85, kSureAgreed = 0.3;
constexpr double kLikelyKinds = 20, kLikelyAlike = 0.7, kLikelyAgreed = 0.5;
constexpr double kLeastOfLaunches = 0.3;
constexpr double kLeastOfAll = 0.5;
constexpr size_t kMostTries = 16;
constexpr size_t kMostCuts = 4;
constexpr double kLongStretch = 0.1;      // least share of the steps in a stretch between windows
constexpr double kMostOfTheSpan = 1.25;   // tolerance: steps are slower in windows
constexpr double kMostOfLaunches = 1.15;  // tolerance: less may be launched between windows than in them
constexpr double kSureKinds = 4;          // with fewer kinds, launches may repeat for any reason

struct Counted {
  uint64_t count = 0, first_ns = UINT64_MAX, last_ns = 0;
  void add(uint64_t number, uint64_t first, uint64_t last) {
    count += number;
    first_ns = std::min(first_ns, first);
    last_ns = std::max(last_ns, last);
  }
};

// How often each key was enqueued in the whole run: as counted or, if nothing was counted, as listed outside of
// windows.
std::map<EnqueueKey, Counted> counts_of(const Trace& trace, uint32_t device) {
  std::map<EnqueueKey, Counted> counts, listed;
  for (const auto& event : trace.site_counts) {
    const trace::SiteCountRecord& count = event.record;
    if (count.device != device) continue;
    const bool launch = count.call_class == static_cast<uint8_t>(CallClass::kLaunch);
    counts[{count.stack, count.api, launch ? count.object : 0}].add(count.count, count.first_ns, count.last_ns);
    if (launch && count.object != 0)
      counts[{count.stack, count.api, 0}].add(count.count, count.first_ns, count.last_ns);
  }
  for (const auto& event : trace.calls)
    if (event.record.device == device && (event.record.flags & trace::kInWindow) == 0 && is_of_a_step(event.record))
      listed[key_of(event.record)].add(1, event.record.begin_ns, event.record.begin_ns);
  for (const auto& [key, counted] : listed) counts.try_emplace(key, counted);
  return counts;
}

// Number and time span of all launches of a device in the whole run.
Counted count_launches(const Trace& trace, uint32_t device) {
  Counted all;
  for (const auto& event : trace.site_counts)
    if (event.record.device == device && event.record.call_class == static_cast<uint8_t>(CallClass::kLaunch))
      all.add(event.record.count, event.record.first_ns, event.record.last_ns);
  return all;
}

size_t launches_in(const Trace& trace, const trace::WindowRecord& window) {
  auto call = std::lower_bound(trace.calls.begin(), trace.calls.end(), window.begin_ns,
                               [](const auto& one, uint64_t time) { return one.record.begin_ns < time; });
  size_t launches = 0;
  for (; call != trace.calls.end() && call->record.begin_ns < window.end_ns; ++call)
    launches += call->record.call_class == static_cast<uint8_t>(CallClass::kLaunch);
  return launches;
}

// Mean time of a step between windows, in ns; 0: not known. Each window notes how many launches there were before it,
// so between two windows there were as many steps as the launches since then make, without the window's own. Steps
// inside windows are not used, since CUPTI slows them.
uint64_t mean_outside(const Trace& trace, double launches_a_step, size_t count) {
  double time = 0, steps = 0;
  for (size_t i = 0; i + 1 < trace.windows.size(); ++i) {
    const auto &window = trace.windows[i], &next = trace.windows[i + 1];
    if (window.end_ns == 0 || next.begin_ns <= window.end_ns) continue;
    const double between = static_cast<double>(next.launches) - static_cast<double>(window.launches) -
                           static_cast<double>(launches_in(trace, window));
    if (between < launches_a_step) continue;
    // The longest stretch is used, since the beginning of a run contains more than steps.
    if (between / launches_a_step > steps) {
      steps = between / launches_a_step;
      time = static_cast<double>(next.begin_ns - window.end_ns);
    }
  }
  // In a short stretch, the host may only have filled the GPU's queue.
  const bool is_long = steps >= kMinSteps && steps >= kLongStretch * static_cast<double>(count);
  return is_long ? static_cast<uint64_t>(time / steps) : 0;
}

double launches_a_step(const std::vector<EnqueueWindow>& windows, const LaunchPeriod& period) {
  size_t launches = 0, all = 0;
  for (const EnqueueWindow& window : windows)
    for (const Enqueue& one : window) ++all, launches += one.kind != EnqueueKind::kOther;
  if (all == 0) return 0;
  return static_cast<double>(period.enqueues * period.each) * static_cast<double>(launches) / static_cast<double>(all);
}

// Usual time from one occurrence of the cutting symbol to the next, in windows; 0: not known.
uint64_t usual_segment(const std::vector<EnqueueWindow>& windows, uint32_t symbol) {
  std::vector<uint64_t> times;
  for (const EnqueueWindow& window : windows) {
    uint64_t last = 0;
    for (const Enqueue& one : window) {
      if (one.symbol != symbol) continue;
      if (last != 0) times.push_back(one.time_ns - last);
      last = one.time_ns;
    }
  }
  return times.empty() ? 0 : median(std::move(times));
}

// The copy that brings the loss to the host in each step may bring snapshots there, too. So if counts disagree, those
// with more steps than fit into their time span are dropped.
void leave_out_too_many(std::vector<Counted>& counted, uint64_t segment_ns) {
  const auto fits = [segment_ns](const Counted& one) {
    return static_cast<double>(one.count) * static_cast<double>(segment_ns) <=
           kMostOfTheSpan * static_cast<double>(one.last_ns - one.first_ns);
  };
  if (std::any_of(counted.begin(), counted.end(), fits))
    std::erase_if(counted, [&](const Counted& one) { return !fits(one); });
}

// `counts`: see counts_of(). `most_launches`: upper bound for all steps together.
std::optional<LaunchSteps> count_period(const Trace& trace, uint32_t device, const LaunchSequence& sequence,
                                        const std::vector<EnqueueWindow>& windows,
                                        const std::map<EnqueueKey, Counted>& counts, const LaunchPeriod& period,
                                        double most_launches) {
  LaunchSteps steps;
  steps.period = period;
  steps.launches = launches_a_step(windows, period);
  steps.device = device;
  std::vector<Counted> counted;
  for (const uint32_t symbol : period.once) {
    const EnqueueKey& key = sequence.key(symbol);
    auto it = counts.find(key);
    steps.stacks.push_back(key.stack);
    if (it == counts.end()) continue;
    if (static_cast<double>(it->second.count) / static_cast<double>(period.each) * steps.launches > most_launches)
      continue;
    counted.push_back(it->second);
  }
  leave_out_too_many(counted, usual_segment(windows, period.symbol));
  std::vector<uint64_t> numbers;
  for (const Counted& one : counted) numbers.push_back(one.count);
  const uint64_t number = most_common(numbers, steps.agreed);
  steps.count = (number + period.each / 2) / period.each;
  for (const Counted& one : counted) {
    if (one.count != number) continue;
    steps.first_ns = steps.first_ns == 0 ? one.first_ns : std::min(steps.first_ns, one.first_ns);
    steps.last_ns = std::max(steps.last_ns, one.last_ns);
  }
  if (steps.count < kMinSteps || steps.count > kMostSteps || steps.last_ns <= steps.first_ns) return std::nullopt;
  steps.mean_ns = mean_outside(trace, steps.launches, steps.count);
  if (steps.mean_ns == 0) steps.mean_ns = (steps.last_ns - steps.first_ns) / (steps.count - 1);
  return steps;
}

// A copy that also brings a logged value or a snapshot to the host occurs more often than steps do. This shows in the
// run having fewer launches than that many steps would make; then other symbols are tried.
std::optional<LaunchSteps> count_in(const Trace& trace, uint32_t device, const LaunchSequence& sequence,
                                    const std::vector<EnqueueWindow>& windows) {
  const std::map<EnqueueKey, Counted> counts = counts_of(trace, device);
  const double most = kMostOfLaunches * static_cast<double>(count_launches(trace, device).count);
  std::set<uint32_t> left_out;
  std::optional<LaunchPeriod> first;
  for (size_t cuts = 0; cuts < kMostCuts; ++cuts) {
    std::optional<LaunchPeriod> period = find_launch_period(windows, left_out);
    if (!period) break;
    if (auto steps = count_period(trace, device, sequence, windows, counts, *period, most)) return steps;
    if (cuts == 0) first = period;
    left_out.insert(period->symbol);
    left_out.insert(period->once.begin(), period->once.end());
  }
  if (!first) return std::nullopt;
  return count_period(trace, device, sequence, windows, counts, *first, std::numeric_limits<double>::infinity());
}

// A start-up that times variants of a kernel (torch.compile) repeats more regularly than any training step, in windows
// with more launches than those of steps. But steps make most of a run's launches: if those of the period are few, the
// first windows are left out, one after the other, and of the last window one half after the other. If no period has
// many, since each step is one launch of a graph, the period that lasts for most of the time is used.
std::optional<LaunchSteps> count_in(const Trace& trace, uint32_t device, const LaunchSequence& sequence) {
  std::vector<EnqueueWindow> windows = sequence.windows();
  const std::optional<LaunchSteps> of_all = count_in(trace, device, sequence, windows);
  const Counted launches = count_launches(trace, device);
  const double needed = kLeastOfLaunches * static_cast<double>(launches.count);
  const auto are_few = [&](const LaunchSteps& steps) {
    return static_cast<double>(steps.count) * steps.launches < needed;
  };
  if (!of_all || !are_few(*of_all)) return of_all;
  const auto span = [](const LaunchSteps& steps) { return static_cast<double>(steps.last_ns - steps.first_ns); };
  std::optional<LaunchSteps> longest = of_all;
  for (size_t tries = 0; tries < kMostTries && !windows.empty(); ++tries) {
    EnqueueWindow& first = windows.front();
    if (windows.size() > 1)
      windows.erase(windows.begin());
    else
      first.erase(first.begin(), first.begin() + static_cast<std::ptrdiff_t>((first.size() + 1) / 2));
    const std::optional<LaunchSteps> steps = count_in(trace, device, sequence, windows);
    if (!steps) continue;
    if (!are_few(*steps)) return steps;
    if (span(*steps) > span(*longest)) longest = steps;
  }
  const double all =
      launches.last_ns > launches.first_ns ? static_cast<double>(launches.last_ns - launches.first_ns) : 0;
  return span(*longest) >= kLeastOfAll * all ? longest : of_all;
}

std::optional<LaunchSteps> count_by_pauses(const Trace& trace, uint32_t device, const LaunchSequence& sequence) {
  const std::optional<LaunchBursts> bursts = find_launch_bursts(sequence.windows());
  if (!bursts) return std::nullopt;
  const Counted launches = count_launches(trace, device);
  LaunchSteps steps;
  steps.by_pauses = true;
  steps.device = device;
  steps.period.enqueues = bursts->launches;
  steps.period.segments = bursts->bursts;
  steps.period.alike = steps.agreed = bursts->alike;
  steps.period.kinds = steps.period.covers = 1;
  steps.count = launches.count / bursts->launches;
  steps.first_ns = launches.first_ns;
  steps.last_ns = launches.last_ns;
  if (steps.count < kMinSteps || steps.count > kMostSteps || steps.last_ns <= steps.first_ns) return std::nullopt;
  steps.mean_ns = mean_outside(trace, static_cast<double>(bursts->launches), steps.count);
  if (steps.mean_ns == 0) steps.mean_ns = (steps.last_ns - steps.first_ns) / steps.count;
  return steps;
}

// If shapes change from step to step, so do the kernels that a library picks; then steps are more alike by call path
// alone.
std::optional<LaunchSteps> count_on(const Trace& trace, const Places& places, uint32_t device) {
  // A kind or two that come again and again, each time with something else: a runtime that copies and compiles.
  const auto count = [&](const LaunchSequence& sequence) {
    std::optional<LaunchSteps> steps = count_in(trace, device, sequence);
    if (steps && steps->period.kinds < kSureKinds && !steps->is_alike()) steps.reset();
    return steps;
  };
  std::optional<LaunchSteps> by_kernel = count(LaunchSequence(trace, places, device, true));
  if (by_kernel && by_kernel->is_alike()) return by_kernel;
  const LaunchSequence paths(trace, places, device, false);
  std::optional<LaunchSteps> by_path = count(paths);
  if (!by_kernel && !by_path) return count_by_pauses(trace, device, paths);
  if (!by_kernel || (by_path && (by_path->is_alike() || by_path->period.alike > by_kernel->period.alike)))
    return by_path;
  return by_kernel;
}

}  // namespace

bool LaunchSteps::is_alike() const { return period.by_optimizer || period.alike >= kSureAlike; }

bool LaunchSteps::is_sure() const {
  return period.kinds >= kSureKinds && is_alike() && agreed >= kSureAgreed && period.doubt == PeriodDoubt::kNone &&
         disagreement.empty();
}

bool LaunchSteps::is_likely() const {
  return period.kinds >= kLikelyKinds && period.alike >= kLikelyAlike && agreed >= kLikelyAgreed &&
         period.doubt == PeriodDoubt::kNone;
}

std::optional<LaunchSteps> count_launch_steps(const Trace& trace, const Places& places) {
  const std::vector<Interval> windows = find_windows(trace);
  if (windows.empty()) return std::nullopt;
  // Outside of windows launches are not listed, and a device that gets more copies would seem the busier one.
  std::map<uint32_t, size_t> devices;
  for (const auto& call : trace.calls)
    if (is_of_a_step(call.record) && interval_at(windows, call.record.begin_ns) != nullptr)
      ++devices[call.record.device];
  if (devices.size() > kMostDevices) return std::nullopt;  // no such machine: the trace is damaged
  std::optional<LaunchSteps> busiest;
  std::vector<LaunchSteps> all;
  for (const auto& [device, calls] : devices)
    if (auto steps = count_on(trace, places, device)) {
      if (!busiest || calls > devices[busiest->device]) busiest = steps;
      all.push_back(std::move(*steps));
    }
  for (const LaunchSteps& other : all)
    if (!same_count(other.count, busiest->count) && devices[other.device] * 10 > devices[busiest->device])
      busiest->disagreement += (busiest->disagreement.empty() ? "" : ", ") + std::string("the launches of GPU ") +
                               std::to_string(other.device) + " repeat " + std::to_string(other.count) + " times";
  return busiest;
}

}  // namespace syncsniff::timeline
