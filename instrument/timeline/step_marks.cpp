#include "instrument/timeline/step_marks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "instrument/timeline/median.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;

constexpr uint32_t kBurst = UINT32_MAX;  // used instead of an api id
constexpr uint64_t kGap = 3;             // medians; longer ones are gaps
constexpr double kMinSpan = 0.5;
constexpr double kMostInGaps = 0.5;
constexpr size_t kMostMicroBatches = 16;  // micro-batches of a step
constexpr size_t kMostGaps = 50;          // at most a fiftieth of the steps, or two

// Calls `visit` for each burst, and for each listed call that is not listed only because a window is open.
template <class Visit>
void visit_marks(const Trace& trace, Visit visit) {
  for (const auto& call : trace.calls)
    if ((call.record.flags & trace::kInWindow) == 0) visit(call.record.stack, call.record.api, call.record.begin_ns);
  for (const auto& burst : trace.bursts) visit(burst.record.first_stack, kBurst, burst.record.first_begin_ns);
}

struct Gaps {
  size_t number = 0;
  uint64_t length_ns = 0;  // total
};

// `begins`: sorted.
Gaps gaps_in(const std::vector<uint64_t>& begins) {
  std::vector<uint64_t> lengths;
  for (size_t i = 0; i + 1 < begins.size(); ++i) lengths.push_back(begins[i + 1] - begins[i]);
  const uint64_t longest = kGap * median(lengths);
  Gaps gaps;
  for (const uint64_t length : lengths) {
    if (length <= longest) continue;
    ++gaps.number;
    gaps.length_ns += length;
  }
  return gaps;
}

// True if gaps take most of the time between the first mark and the last.
bool come_in_bursts(const std::vector<uint64_t>& begins) {
  return static_cast<double>(gaps_in(begins).length_ns) >
         kMostInGaps * static_cast<double>(begins.back() - begins.front());
}

// Of the candidates with few gaps, the one that comes first: the others come later in the same step. Their begins must
// be sorted.
std::optional<StepMarks> first_of(std::vector<StepMarks> candidates) {
  if (candidates.empty()) return std::nullopt;
  std::vector<size_t> gaps;
  for (const StepMarks& one : candidates) gaps.push_back(gaps_in(one.begins).number);
  const size_t fewest = *std::min_element(gaps.begin(), gaps.end());
  StepMarks* first = nullptr;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (gaps[i] > fewest + std::max<size_t>(2, candidates[i].begins.size() / kMostGaps)) continue;
    if (first == nullptr || candidates[i].begins[0] < first->begins[0]) first = &candidates[i];
  }
  return std::move(*first);
}

// `group`: maps a call path and api to a number. `times`: marks per step; if there are several per step, nearly all
// must be there, since some count is always near some multiple.
template <class Group>
std::optional<StepMarks> marks_by(const Trace& trace, size_t count, size_t times, uint64_t span_ns, Group group) {
  std::map<uint64_t, StepMarks> groups;
  visit_marks(trace, [&](uint32_t stack, uint32_t api, uint64_t time_ns) {
    StepMarks& marks = groups[group(stack, api)];
    marks.stack = stack;
    marks.begins.push_back(time_ns);
  });
  std::vector<StepMarks> candidates;
  for (auto& [key, marks] : groups) {
    const size_t number = marks.begins.size(), wanted = count * times;
    const size_t apart = std::max(number, wanted) - std::min(number, wanted);
    if (times == 1 ? !same_count(number, count) : apart > times) continue;
    std::sort(marks.begins.begin(), marks.begins.end());
    // A validation of 4 batches of 16 images, four times a run, has a line that comes nearly as often as 260 steps.
    if (apart > times && come_in_bursts(marks.begins)) continue;
    const auto first = marks.begins.begin(), last = marks.begins.end() - 1;
    // If start-up launches the kernel, too, the span begins there: 3.5 s of compiling before 1.4 s of steps.
    if (static_cast<double>(*last - *first) >= kMinSpan * static_cast<double>(span_ns) ||
        holds_the_work(trace, {*first, *last}, {{*first, *last}}))
      candidates.push_back(std::move(marks));
  }
  return first_of(std::move(candidates));
}

bool ends_with_path(const std::string& path, const std::string& end) {
  return path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0 &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/' || end[0] == '/');
}

}  // namespace

std::optional<StepMarks> marks_of(const Trace& trace, const Places& places, size_t count, uint64_t first_ns,
                                  uint64_t last_ns) {
  const uint64_t span = last_ns > first_ns ? last_ns - first_ns : 0;
  auto by_path = [](uint32_t stack, uint32_t api) { return (uint64_t{stack} << 32) | api; };
  if (auto marks = marks_by(trace, count, 1, span, by_path)) return marks;
  std::map<std::tuple<std::string, uint64_t, uint32_t>, uint64_t> numbers;
  auto by_line = [&](uint32_t stack, uint32_t api) {
    const reader::Place place = places.user_place(stack);
    const uint64_t spot = place.file.empty() ? stack : place.line != 0 ? place.line : place.offset;
    return numbers.try_emplace({place.file, spot, api}, numbers.size()).first->second;
  };
  if (auto marks = marks_by(trace, count, 1, span, by_line)) return marks;
  // With gradient accumulation only micro-batches may have a mark. Then every n-th mark is taken: these are as far
  // apart as steps, whichever of the n really begins one.
  for (size_t times = 2; times <= kMostMicroBatches; ++times)
    if (auto marks = marks_by(trace, count, times, span, by_path)) {
      std::vector<uint64_t> begins;
      for (size_t i = 0; i < marks->begins.size(); i += times) begins.push_back(marks->begins[i]);
      marks->begins = std::move(begins);
      return marks;
    }
  return std::nullopt;
}

StepMarks marks_at(const Trace& trace, const Places& places, const std::string& file, uint32_t line) {
  std::map<std::pair<uint32_t, uint32_t>, StepMarks> by_path;
  std::map<uint32_t, bool> is_there;
  visit_marks(trace, [&](uint32_t stack, uint32_t api, uint64_t time_ns) {
    auto [it, fresh] = is_there.try_emplace(stack, false);
    if (fresh) {
      const auto& frames = places.stack(stack).frames;
      it->second = std::any_of(frames.begin(), frames.end(), [&](const reader::Frame& frame) {
        return frame.line == line && ends_with_path(frame.file, file);
      });
    }
    if (!it->second) return;
    StepMarks& marks = by_path[{stack, api}];
    marks.stack = stack;
    marks.begins.push_back(time_ns);
  });
  // A line may wait, copy and launch in turn: its most frequent call shows each execution of the line.
  std::vector<StepMarks> paths;
  size_t most = 0;
  for (auto& [key, marks] : by_path) most = std::max(most, marks.begins.size());
  for (auto& [key, marks] : by_path)
    if (same_count(marks.begins.size(), most)) {
      std::sort(marks.begins.begin(), marks.begins.end());
      paths.push_back(std::move(marks));
    }
  return first_of(std::move(paths)).value_or(StepMarks());
}

std::vector<std::string> listed_lines(const Trace& trace, const Places& places) {
  std::map<std::string, size_t> times;
  std::map<uint32_t, std::string> texts;
  visit_marks(trace, [&](uint32_t stack, uint32_t, uint64_t) {
    auto [it, fresh] = texts.try_emplace(stack);
    if (fresh) it->second = reader::place_text(places.user_place(stack));
    ++times[it->second];
  });
  std::vector<std::pair<size_t, std::string>> order;
  for (const auto& [text, number] : times) order.push_back({number, text});
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (const auto& [number, text] : order) lines.push_back(text + " (" + std::to_string(number) + " times)");
  return lines;
}

}  // namespace syncsniff::timeline
