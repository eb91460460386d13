#include "instrument/timeline/regular_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "instrument/timeline/median.h"
#include "instrument/timeline/sites.h"

namespace syncsniff::timeline {
namespace {

using reader::Trace;
using trace::CallClass;

constexpr uint64_t kIrregular = 3;        // medians
constexpr size_t kMaxWarmUp = 10;         // leading steps that may be start-up; never more than a tenth of all, or 3
constexpr double kWarmUpLength = 1.5;     // medians
constexpr double kMinSpanShare = 0.5;     // least share of the enqueued work between the first begin and the last
constexpr double kMinRegularShare = 0.1;  // least share of the enqueued work in regular steps
constexpr size_t kWindowShare = 4;  // if at most a quarter of the steps are in windows, the median is of all steps
constexpr double kAddsUp = 0.33;
constexpr size_t kManyLong = 16, kLeastLong = 4;  // far longer steps: more than one in so many, and at least 4
// If they occur without a period: at least 8, with a tenth of the time.
constexpr size_t kLeastCostly = 8, kCostly = 10;
constexpr uint64_t kFarShorter = 10;    // a step is no step of its own that takes so many times less than the median
constexpr double kLaunchesMore = 1.25;  // a long step with this many times the usual launches contains a validation

uint64_t median_length(const std::vector<Interval>& intervals) {
  std::vector<uint64_t> lengths;
  for (const Interval& interval : intervals) lengths.push_back(interval.length());
  return median(std::move(lengths));
}

double mean_length(const std::vector<Interval>& intervals) {
  uint64_t sum = 0;
  for (const Interval& interval : intervals) sum += interval.length();
  return intervals.empty() ? 0 : static_cast<double>(sum) / static_cast<double>(intervals.size());
}

// Number of leading steps that load code or are clearly longer: what happens only in them is no cost of a step. A far
// shorter one right before one of these counts, too: what marks steps may run once before the program compiles them.
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
  const auto is_warm_up = [&](const Interval& step) {
    return static_cast<double>(step.length()) > limit || loads_code(step);
  };
  size_t count = 0;
  while (count < most && count + kMinSteps < all.size() &&
         (is_warm_up(all[count]) ||
          (count + 1 < most && all[count].length() * kFarShorter < median && is_warm_up(all[count + 1]))))
    ++count;
  return count;
}

struct RegularWork {
  double time = 0, launches = 0;
};

uint64_t length_of(const trace::BurstRecord& burst) {
  return std::max(burst.last_end_ns, burst.first_begin_ns + 1) - burst.first_begin_ns;
}

// Calls `visit` with the index of each of the sorted, disjoint intervals that overlap the burst, and the overlap.
template <class Visit>
void for_each_part(const trace::BurstRecord& burst, const std::vector<Interval>& intervals, Visit visit) {
  const uint64_t begin = burst.first_begin_ns, end = begin + length_of(burst);
  auto it = std::upper_bound(intervals.begin(), intervals.end(), begin,
                             [](uint64_t time, const Interval& interval) { return time < interval.end; });
  for (; it != intervals.end() && it->begin < end; ++it)
    visit(static_cast<size_t>(it - intervals.begin()), std::min(it->end, end) - std::max(it->begin, begin));
}

// The work enqueued inside sorted, disjoint intervals; a burst's launches are divided in proportion to its time.
RegularWork work_in(const Trace& trace, const std::vector<Interval>& intervals) {
  RegularWork sum;
  for (const auto& burst : trace.bursts) {
    if (burst.record.launches == 0) continue;
    uint64_t inside = 0;
    for_each_part(burst.record, intervals, [&](size_t, uint64_t part) { inside += part; });
    sum.time += static_cast<double>(inside);
    sum.launches += burst.record.launches * static_cast<double>(inside) / static_cast<double>(length_of(burst.record));
  }
  return sum;
}

constexpr double kNotKnown = -1;

// Launches of each step by threads that wait: bursts of other threads (autograd's engine) do not end where a step ends.
// Bursts of more than two steps are left out, since their launches cannot be assigned to steps.
std::vector<double> launches_of_each(const Trace& trace, const std::vector<Interval>& steps) {
  std::vector<double> launches(steps.size(), 0);
  std::set<uint32_t> waiting;
  for (const auto& event : trace.calls)
    if (waited(event.record)) waiting.insert(event.tid);
  for (const auto& burst : trace.bursts) {
    if (!waiting.contains(burst.tid) || burst.record.launches == 0) continue;
    size_t parts = 0;
    for_each_part(burst.record, steps, [&](size_t, uint64_t) { ++parts; });
    for_each_part(burst.record, steps, [&](size_t step, uint64_t part) {
      if (parts > 2)
        launches[step] = kNotKnown;
      else if (launches[step] != kNotKnown)
        launches[step] +=
            burst.record.launches * static_cast<double>(part) / static_cast<double>(length_of(burst.record));
    });
  }
  return launches;
}

// True if these steps occur in each quarter of the run, and fewer than half of them at the most common distance, plus
// or minus one.
bool come_without_period(const std::vector<size_t>& numbers, size_t all) {
  std::map<size_t, size_t> distances;
  std::set<size_t> quarters;
  for (size_t i = 0; i < numbers.size(); ++i) {
    quarters.insert(numbers[i] * 4 / all);
    if (i != 0) ++distances[numbers[i] - numbers[i - 1]];
  }
  size_t commonest = 0;
  for (const auto& [distance, count] : distances) {
    size_t near = 0;
    for (size_t other = distance - 1; other <= distance + 1; ++other)
      if (const auto it = distances.find(other); it != distances.end()) near += it->second;
    commonest = std::max(commonest, near);
  }
  return quarters.size() == 4 && 2 * commonest < numbers.size();
}

bool long_ones_are_steps(const Trace& trace, const std::vector<Interval>& steps, uint64_t median) {
  std::vector<size_t> numbers;
  uint64_t long_ns = 0, all_ns = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    all_ns += steps[i].length();
    if (!is_far_longer(steps[i], median)) continue;
    numbers.push_back(i);
    long_ns += steps[i].length();
  }
  const bool come_any_time = come_without_period(numbers, steps.size());
  const bool are_many = numbers.size() >= kLeastLong && numbers.size() * kManyLong > steps.size();
  const bool are_costly = numbers.size() >= kLeastCostly && long_ns * kCostly >= all_ns;
  if (!are_many && !(are_costly && come_any_time)) return false;
  const std::vector<double> launches = launches_of_each(trace, steps);
  std::vector<double> of_long, of_others;
  for (size_t i = 0; i < steps.size(); ++i)
    if (launches[i] != kNotKnown) (is_far_longer(steps[i], median) ? of_long : of_others).push_back(launches[i]);
  if (2 * of_long.size() < numbers.size() || of_others.empty()) return come_any_time;
  return timeline::median(std::move(of_long)) <= kLaunchesMore * timeline::median(std::move(of_others));
}

}  // namespace

bool is_far_longer(const Interval& step, uint64_t median_ns) { return step.length() > kIrregular * median_ns; }

bool same_count(uint64_t a, uint64_t b) {
  constexpr double kSame = 0.02;
  const auto less = static_cast<double>(std::min(a, b)), more = static_cast<double>(std::max(a, b));
  return more - less <= std::max(1.0, kSame * more);
}

std::vector<Interval> between(const std::vector<uint64_t>& begins, uint64_t last_end) {
  std::vector<Interval> intervals;
  for (size_t i = 0; i < begins.size(); ++i)
    intervals.push_back({begins[i], i + 1 < begins.size() ? begins[i + 1] : last_end});
  if (!intervals.empty() && intervals.back().length() == 0) intervals.pop_back();
  return intervals;
}

std::vector<Interval> timed_steps(const Trace& trace, const std::vector<Interval>& regular) {
  std::vector<Interval> outside;
  auto window = trace.windows.begin();
  for (const Interval& step : regular) {
    while (window != trace.windows.end() && window->end_ns != 0 && window->end_ns <= step.begin) ++window;
    if (window == trace.windows.end() || window->begin_ns >= step.end) outside.push_back(step);
  }
  const bool few = (regular.size() - outside.size()) * kWindowShare <= regular.size();
  return few || outside.size() < kMinSteps ? regular : outside;
}

void keep_regular(const Trace& trace, const std::vector<Interval>& all, Steps& steps) {
  const uint64_t median = median_length(all);
  steps.warm_up = count_warm_up(trace, all, median);
  const std::vector<Interval> rest(all.begin() + static_cast<std::ptrdiff_t>(steps.warm_up), all.end());
  const bool keep_long = long_ones_are_steps(trace, rest, median);
  for (const Interval& step : rest) {
    if (step.length() != 0 && (keep_long || !is_far_longer(step, median)))
      steps.regular.push_back(step);
    else
      ++steps.irregular;
    steps.uneven += keep_long && is_far_longer(step, median);
  }
  if (steps.regular.size() < kMinSteps) steps.regular.clear();
  const std::vector<Interval> timed = timed_steps(trace, steps.regular);
  steps.median_ns = median_length(timed);
  steps.timed_mean_ns = steps.uneven != 0 ? steps.mean_ns() : mean_length(timed);
}

bool adds_up(const Steps& steps) {
  if (steps.uneven != 0) return true;
  // Not median_ns, which may cover only the steps outside of windows.
  const double by_median =
      static_cast<double>(median_length(steps.regular)) * static_cast<double>(steps.regular.size());
  const auto sum = static_cast<double>(steps.regular_ns());
  return sum <= (1 + kAddsUp) * by_median && sum >= (1 - kAddsUp) * by_median;
}

bool holds_the_work(const Trace& trace, const std::vector<uint64_t>& begins, const std::vector<Interval>& regular) {
  const RegularWork all = work_in(trace, {{0, UINT64_MAX}});
  if (all.launches == 0) return true;
  auto share = [&](const RegularWork& part) { return std::max(part.time / all.time, part.launches / all.launches); };
  return share(work_in(trace, {{begins.front(), begins.back()}})) >= kMinSpanShare &&
         share(work_in(trace, regular)) >= kMinRegularShare;
}

bool Steps::contains(uint64_t time_ns) const {
  auto it = std::upper_bound(regular.begin(), regular.end(), time_ns,
                             [](uint64_t time, const Interval& interval) { return time < interval.begin; });
  return it != regular.begin() && time_ns < std::prev(it)->end;
}

std::vector<Interval> Steps::within(const Interval& span) const {
  std::vector<Interval> parts;
  auto it = std::partition_point(regular.begin(), regular.end(),
                                 [&](const Interval& step) { return step.end <= span.begin; });
  for (; it != regular.end() && it->begin < span.end; ++it) {
    const Interval part{std::max(span.begin, it->begin), std::min(span.end, it->end)};
    if (parts.empty() || part.begin > parts.back().end)
      parts.push_back(part);
    else
      parts.back().end = part.end;
  }
  return parts;
}

uint64_t Steps::regular_ns() const {
  uint64_t sum = 0;
  for (const Interval& step : regular) sum += step.length();
  return sum;
}

uint64_t Steps::left_out_ns() const { return found() ? regular.back().end - regular.front().begin - regular_ns() : 0; }

double Steps::mean_ns() const { return mean_length(regular); }

}  // namespace syncsniff::timeline
