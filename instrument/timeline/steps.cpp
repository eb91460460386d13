#include "instrument/timeline/steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "instrument/timeline/anchor.h"
#include "instrument/timeline/sites.h"

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;
using trace::CallClass;

constexpr size_t kThreadsTried = 4;
constexpr uint64_t kIrregular = 3;        // medians
constexpr size_t kSureSteps = 5;          // fewer are never counted with high confidence
constexpr size_t kMaxWarmUp = 10;         // steps at the beginning that may be start-up; never more than a tenth, or 3
constexpr double kWarmUpLength = 1.5;     // medians
constexpr double kMinSpanShare = 0.5;     // of the work enqueued, between the first begin and the last
constexpr double kMinRegularShare = 0.1;  // of the work enqueued, in regular steps

uint64_t median_length(std::vector<Interval> intervals) {
  if (intervals.empty()) return 0;
  auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.length() < b.length(); });
  return middle->length();
}

// Leading steps that load code or are clearly longer: what happens in them alone is no cost of a step.
size_t count_warm_up(const Trace& trace, const std::vector<Interval>& all, uint64_t median) {
  auto loads_code = [&](const Interval& step) {
    auto it = std::lower_bound(trace.calls.begin(), trace.calls.end(), step.begin,
                               [](const auto& call, uint64_t time) { return call.record.begin_ns < time; });
    for (; it != trace.calls.end() && it->record.begin_ns < step.end; ++it)
      if (it->record.call_class == static_cast<uint8_t>(CallClass::kModuleLoad)) return true;
    return false;
  };
  const size_t most = std::min(kMaxWarmUp, std::max<size_t>(3, all.size() / 10));
  const double limit = kWarmUpLength * static_cast<double>(median);
  size_t count = 0;
  while (count < most && count + kMinSteps < all.size() &&
         (static_cast<double>(all[count].length()) > limit || loads_code(all[count])))
    ++count;
  return count;
}

void keep_regular(const Trace& trace, const std::vector<Interval>& all, Steps& steps) {
  const uint64_t median = median_length(all);
  steps.warm_up = count_warm_up(trace, all, median);
  for (size_t i = steps.warm_up; i < all.size(); ++i) {
    if (all[i].length() != 0 && all[i].length() <= kIrregular * median)
      steps.regular.push_back(all[i]);
    else
      ++steps.irregular;
  }
  if (steps.regular.size() < kMinSteps) steps.regular.clear();
  steps.median_ns = median_length(steps.regular);
}

// From each begin to the next one: what stands between two ranges belongs to the step before it.
std::vector<Interval> between(const std::vector<uint64_t>& begins, uint64_t last_end) {
  std::vector<Interval> intervals;
  for (size_t i = 0; i < begins.size(); ++i)
    intervals.push_back({begins[i], i + 1 < begins.size() ? begins[i + 1] : last_end});
  if (!intervals.empty() && intervals.back().length() == 0) intervals.pop_back();
  return intervals;
}

// The most frequent name at the outermost depth where a name comes often enough; one thread's alone.
bool steps_from_ranges(const Trace& trace, Steps& steps) {
  struct Group {
    std::vector<uint64_t> begins;
    uint64_t last_end = 0;
  };
  std::map<uint16_t, std::map<std::pair<uint32_t, uint32_t>, Group>> by_depth;  // depth -> (name, tid)
  for (const auto& event : trace.ranges) {
    Group& group = by_depth[event.record.depth][{event.record.name, event.tid}];
    group.begins.push_back(event.record.begin_ns);
    group.last_end = std::max(group.last_end, event.record.end_ns);
  }
  for (auto& [depth, groups] : by_depth) {
    auto best = std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
      return a.second.begins.size() < b.second.begins.size();
    });
    if (best->second.begins.size() < kMinSteps) continue;
    steps = Steps();
    keep_regular(trace, between(best->second.begins, best->second.last_end), steps);
    if (!steps.found()) continue;
    steps.seen = best->second.begins.size();
    steps.how = "NVTX range '" + trace.string(best->first.first) + "'";
    steps.confidence = "high";
    return true;
  }
  return false;
}

struct Work {
  double time = 0, launches = 0;
};

// Enqueueing inside sorted, disjoint intervals; launches by the share of their burst's time.
Work work_in(const Trace& trace, const std::vector<Interval>& intervals) {
  Work sum;
  for (const auto& burst : trace.bursts) {
    const uint64_t begin = burst.record.first_begin_ns, end = std::max(burst.record.last_end_ns, begin + 1);
    if (burst.record.launches == 0) continue;
    auto it = std::upper_bound(intervals.begin(), intervals.end(), begin,
                               [](uint64_t time, const Interval& interval) { return time < interval.end; });
    uint64_t inside = 0;
    for (; it != intervals.end() && it->begin < end; ++it)
      inside += std::min(it->end, end) - std::max(it->begin, begin);
    sum.time += static_cast<double>(inside);
    sum.launches += burst.record.launches * static_cast<double>(inside) / static_cast<double>(end - begin);
  }
  return sum;
}

// A handful of waits at the start or the end of a run may look regular: steps are where the program enqueues its work.
bool holds_the_work(const Trace& trace, const std::vector<uint64_t>& begins, const std::vector<Interval>& regular) {
  const Work all = work_in(trace, {{0, UINT64_MAX}});
  if (all.launches == 0) return true;
  auto share = [&](const Work& part) { return std::max(part.time / all.time, part.launches / all.launches); };
  return share(work_in(trace, {{begins.front(), begins.back()}})) >= kMinSpanShare &&
         share(work_in(trace, regular)) >= kMinRegularShare;
}

// Loading, allocating and freeing come when something is new, not once a step.
bool may_begin_a_step(const trace::CallRecord& call, bool with_launches) {
  // Steps are found by the same calls whether windows are open or not.
  if ((call.flags & trace::kInWindow) != 0) return false;
  const auto call_class = static_cast<CallClass>(call.call_class);
  if (call_class == CallClass::kModuleLoad || call_class == CallClass::kAllocate || call_class == CallClass::kFree)
    return false;
  return with_launches || waited(call);
}

// Does any call path wait as often as a count of steps needs?
bool waits_often(const Trace& trace) {
  std::map<std::pair<uint32_t, uint16_t>, size_t> waits;
  for (const auto& call : trace.calls)
    if (may_begin_a_step(call.record, false) && ++waits[{call.record.stack, call.record.api}] > kMinSteps) return true;
  return false;
}

struct ThreadSequence {
  std::vector<TimedSymbol> symbols;
};

// Lines of the user's source as small numbers: a line is one whatever path leads to it.
class LineNumbers {
 public:
  explicit LineNumbers(const Places& places) : places_(places) {}
  uint32_t operator()(uint32_t stack, uint32_t api) {
    auto [it, fresh] = by_stack_.try_emplace({stack, api}, 0);
    if (!fresh) return it->second;
    const reader::Place place = places_.user_place(stack);
    // Nameless places stay apart by their stack.
    const uint64_t spot = place.file.empty() ? stack : place.line != 0 ? place.line : place.offset;
    it->second = numbers_.try_emplace({place.file, spot, api}, static_cast<uint32_t>(stacks_.size())).first->second;
    if (it->second == stacks_.size()) stacks_.push_back(stack);
    return it->second;
  }
  uint32_t stack_of(uint32_t number) const { return stacks_[number]; }

 private:
  const Places& places_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> by_stack_;
  std::map<std::tuple<std::string, uint64_t, uint32_t>, uint32_t> numbers_;
  std::vector<uint32_t> stacks_;
};

// Per thread, the calls in time order; busiest threads first.
std::vector<ThreadSequence> thread_sequences(const Trace& trace, LineNumbers& lines, bool with_launches) {
  constexpr uint32_t kBurstApi = UINT32_MAX;
  std::map<uint32_t, ThreadSequence> threads;
  for (const auto& call : trace.calls)
    if (may_begin_a_step(call.record, with_launches))
      threads[call.tid].symbols.push_back({lines(call.record.stack, call.record.api), call.record.begin_ns});
  if (with_launches)
    for (const auto& burst : trace.bursts)
      threads[burst.tid].symbols.push_back({lines(burst.record.first_stack, kBurstApi), burst.record.first_begin_ns});
  std::vector<ThreadSequence> list;
  for (auto& [tid, thread] : threads) {
    std::stable_sort(thread.symbols.begin(), thread.symbols.end(),
                     [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    list.push_back(std::move(thread));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.symbols.size() > b.symbols.size(); });
  if (list.size() > kThreadsTried) list.resize(kThreadsTried);
  return list;
}

bool steps_from_anchor(const Trace& trace, const Places& places, bool with_launches, Steps& steps) {
  std::vector<TimedCount> launches;
  for (const auto& burst : trace.bursts) launches.push_back({burst.record.first_begin_ns, burst.record.launches});
  LineNumbers lines(places);
  std::optional<Anchor> best;
  for (const ThreadSequence& thread : thread_sequences(trace, lines, with_launches)) {
    std::optional<Anchor> anchor = find_anchor(thread.symbols, launches);
    if (anchor && (!best || anchor->explained > best->explained)) best = std::move(anchor);
  }
  if (!best) return false;
  keep_regular(trace, between(best->begins, best->begins.back()), steps);
  if (!steps.found() || !holds_the_work(trace, best->begins, steps.regular)) return false;
  steps.seen = best->begins.size();
  steps.how = "counted at " + reader::place_text(places.user_place(lines.stack_of(best->symbol)));
  const double sure = std::min(best->coverage, best->regularity);
  steps.confidence = sure >= 0.9 && steps.regular.size() >= kSureSteps ? "high" : sure >= 0.7 ? "fair" : "low";
  return true;
}

}  // namespace

bool Steps::contains(uint64_t time_ns) const {
  auto it = std::upper_bound(regular.begin(), regular.end(), time_ns,
                             [](uint64_t time, const Interval& interval) { return time < interval.begin; });
  return it != regular.begin() && time_ns < std::prev(it)->end;
}

uint64_t Steps::regular_ns() const {
  uint64_t sum = 0;
  for (const Interval& step : regular) sum += step.length();
  return sum;
}

bool anything_waits(const Trace& trace) {
  return std::any_of(trace.calls.begin(), trace.calls.end(),
                     [](const auto& call) { return may_begin_a_step(call.record, false); });
}

Steps find_steps(const Trace& trace, const Places& places) {
  Steps steps;
  for (auto attempt : {0, 1, 2}) {
    steps = Steps();
    const bool done =
        attempt == 0 ? steps_from_ranges(trace, steps) : steps_from_anchor(trace, places, attempt == 2, steps);
    if (done) return steps;
  }
  steps = Steps();
  steps.how = !anything_waits(trace) ? "no call in this run waited for the GPU"
              : waits_often(trace)   ? "no NVTX range and no line repeats regularly"
                                     : "nothing in this run waits for the GPU often enough to count steps by";
  return steps;
}

}  // namespace syncsniff::timeline
