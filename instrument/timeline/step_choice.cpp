#include "instrument/timeline/step_choice.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "instrument/timeline/step_marks.h"
#include "instrument/timeline/step_ranges.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kNamed = 8;  // how many of the run's names an error lists

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kNamed ? text + " and " + std::to_string(names.size() - kNamed) + " more" : text;
}

std::string spelled(const RangeGroup& group) {
  return group.domain.empty() ? group.name : group.domain + "/" + group.name;
}

[[noreturn]] void no_such_range(const std::vector<RangeGroup>& groups, const std::string& range) {
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const RangeGroup& group : groups)
    if (named.insert(spelled(group)).second)
      names.push_back("'" + spelled(group) + "' (" + std::to_string(group.begins.size()) + " times)");
  throw StepChoiceError("--step=nvtx:" + range + ": the run pushed no NVTX range of that name three times or more; " +
                        (names.empty() ? "it pushed none at all" : "there were: " + list(names)));
}

Steps from_begins(const reader::Trace& trace, const std::vector<uint64_t>& begins, uint64_t last_end) {
  Steps steps;
  keep_regular(trace, between(begins, last_end), steps);
  steps.seen = begins.size();
  steps.confidence = steps.found() && adds_up(steps) ? "high" : "fair";
  return steps;
}

Steps of_range(const reader::Trace& trace, const std::string& range) {
  const std::vector<RangeGroup> groups = range_groups(trace);
  const RangeGroup* chosen = nullptr;
  for (const RangeGroup& group : groups)
    if ((group.name == range || spelled(group) == range) &&
        (chosen == nullptr || group.begins.size() > chosen->begins.size()))
      chosen = &group;
  if (chosen == nullptr || chosen->begins.size() < kMinSteps) no_such_range(groups, range);
  Steps steps = from_begins(trace, chosen->begins, chosen->last_end);
  if (!steps.found()) no_such_range(groups, range);
  steps.how = "NVTX range '" + spelled(*chosen) + "', as set by --step";
  return steps;
}

Steps of_line(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice) {
  const StepMarks marks = marks_at(trace, places, choice.file, choice.line);
  Steps steps;
  if (marks.begins.size() > kMinSteps) steps = from_begins(trace, marks.begins, marks.begins.back());
  if (!steps.found())
    throw StepChoiceError("--step=line:" + choice.file + ":" + std::to_string(choice.line) +
                          ": nothing that the trace lists singly came from that line more than three times; there "
                          "were: " +
                          list(listed_lines(trace, places)));
  steps.how = "counted at " + choice.file + ":" + std::to_string(choice.line) + ", as set by --step";
  return steps;
}

}  // namespace

std::string step_choice_text(const StepChoice& choice) {
  if (!choice.range.empty()) return "nvtx:" + choice.range;
  return "line:" + choice.file + ":" + std::to_string(choice.line);
}

StepChoice parse_step_choice(const std::string& text) {
  StepChoice choice;
  if (text.rfind("nvtx:", 0) == 0) choice.range = text.substr(5);
  const size_t colon = text.rfind(':');
  if (text.rfind("line:", 0) == 0 && colon > 5) {
    choice.file = text.substr(5, colon - 5);
    const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, choice.line);
    if (error != std::errc() || stop != end) choice.line = 0;
  }
  if (!choice.made())
    throw StepChoiceError("--step=" + text + ": use nvtx:NAME or line:FILE:LINE, such as line:train.py:30");
  return choice;
}

Steps chosen_steps(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice) {
  return choice.line != 0 ? of_line(trace, places, choice) : of_range(trace, choice.range);
}

}  // namespace syncsniff::timeline
