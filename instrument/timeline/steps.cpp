#include "instrument/timeline/steps.h"

#include <algorithm>
#include <cstdio>

#include "instrument/timeline/launch_counts.h"
#include "instrument/timeline/launch_steps.h"
#include "instrument/timeline/optimizer_steps.h"
#include "instrument/timeline/step_marks.h"
#include "instrument/timeline/step_ranges.h"
#include "instrument/timeline/step_rounds.h"

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;

constexpr size_t kSureSteps = 5;  // fewer are never counted with high confidence
constexpr double kHigh = 0.9, kFair = 0.7;
constexpr size_t kOftener = 2;           // times
constexpr double kLeastCovered = 0.25;   // of the time from the first step to the last, by regular steps
constexpr double kCoversMore = 1.25;     // times
constexpr double kOptimizerLasts = 0.5;  // least share of the time from its first step to the run's last

std::string times(size_t count) { return std::to_string(count) + " times"; }

bool has_place(const Places& places, uint32_t stack) { return !places.user_place(stack).file.empty(); }

std::string place_of(const Places& places, uint32_t stack) {
  return has_place(places, stack) ? reader::place_text(places.user_place(stack)) : "a thread without lines of its own";
}

void lower(Steps& steps) {
  if (steps.confidence == "high")
    steps.confidence = "fair";
  else if (steps.confidence == "fair")
    steps.confidence = "low";
}

void add_doubt(Steps& steps, const std::string& sentence) {
  steps.doubt += (steps.doubt.empty() ? "" : "; ") + sentence;
}

constexpr const char* kHowToChoose = "--step=line:FILE:LINE or --step=nvtx:NAME chooses";

// Notes that two sources disagree about the steps: which one was used, and which was not.
void tell_disagreement(Steps& steps, const std::string& used, const std::string& other) {
  add_doubt(steps, used + ", but " + other + ": the former was used; " + kHowToChoose);
  if (steps.confidence == "high") steps.confidence = "fair";
}

std::optional<Steps> of_ranges(const Trace& trace, const RangeGroup& group) {
  Steps steps;
  keep_regular(trace, between(group.begins, group.last_end), steps);
  if (!steps.found()) return std::nullopt;
  steps.seen = group.begins.size();
  steps.how = "NVTX range '" + group.name + "'";
  steps.marked = true;
  steps.confidence = "high";
  return steps;
}

Steps of_lines(const Trace& trace, const Places& places, const LineSteps& lines) {
  Steps steps;
  keep_regular(trace, between(lines.begins, lines.begins.back()), steps);
  steps.seen = lines.begins.size();
  steps.how = "counted at " + place_of(places, lines.stack);
  steps.confidence = lines.sure >= kHigh && steps.regular.size() >= kSureSteps ? "high"
                     : lines.sure >= kFair                                     ? "fair"
                                                                               : "low";
  if (lines.other_count != 0)
    tell_disagreement(steps, "the calls there come " + times(lines.begins.size()),
                      "others come as regularly " + times(lines.other_count));
  return steps;
}

// Used if no call of a step is listed: the counted number of steps, all equally long.
std::vector<Interval> equal_steps(const LaunchSteps& launches) {
  const uint64_t each = (launches.last_ns - launches.first_ns) / (launches.count - 1);
  std::vector<Interval> steps;
  for (size_t i = 0; i + 1 < launches.count; ++i)
    steps.push_back({launches.first_ns + i * each, launches.first_ns + (i + 1) * each});
  return steps;
}

void doubt_the_period(const LaunchSteps& launches, Steps& steps) {
  const std::string every = std::to_string(launches.period.other_every);
  switch (launches.period.doubt) {
    case PeriodDoubt::kNone:
      break;
    case PeriodDoubt::kAccumulates:
      add_doubt(steps, "a step repeats the same launches " + every +
                           " times, then adds others (gradient accumulation, then an optimizer step); " + kHowToChoose +
                           " otherwise");
      break;
    case PeriodDoubt::kRepeatsWithin:
      add_doubt(steps, "a step repeats the same few launches " + every +
                           " times, like layers; if each of these is a step, " + kHowToChoose + " it");
      break;
    case PeriodDoubt::kHoldsRepeats:
      add_doubt(steps,
                "most of a step is the same launches " + every +
                    " times, like layers; if each of these is a step, and the launches after them are a validation, " +
                    kHowToChoose + " them");
      break;
    case PeriodDoubt::kEndsApart:
      add_doubt(steps, "after every " + every + " of them come launches of their own; if these end the real step, " +
                           kHowToChoose + " it");
      break;
  }
  if (launches.within >= 2)
    add_doubt(steps, "within a step the same launches come " + times(launches.within) +
                         " (layers, tokens, or what a policy plays); if each of these is a step, " + kHowToChoose +
                         " it");
  if (!launches.disagreement.empty())
    tell_disagreement(steps,
                      "the launches of GPU " + std::to_string(launches.device) + " repeat " + times(launches.count),
                      launches.disagreement);
}

// If steps come in rounds, a round is taken as the step: the steps alone would leave out most of the run.
void gather_rounds(const Trace& trace, const std::vector<uint64_t>& begins, Steps& steps) {
  const std::optional<StepRounds> rounds = find_rounds(begins, steps);
  if (!rounds) return;
  Steps whole;
  keep_regular(trace, between(rounds->begins, rounds->begins.back()), whole);
  if (!whole.found() || whole.regular_ns() <= steps.regular_ns()) return;
  const double share = static_cast<double>(steps.regular_ns()) / static_cast<double>(begins.back() - begins.front());
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.1f %%", 100 * share);
  whole.seen = rounds->begins.size();
  whole.each = rounds->each;
  add_doubt(whole, "the steps within a round take " + std::string(percent) + " of the time; " + kHowToChoose + " them");
  steps = std::move(whole);
}

Steps of_launches(const Trace& trace, const Places& places, const LaunchSteps& launches) {
  Steps steps;
  const auto marks = marks_of(trace, places, launches.count, launches.first_ns, launches.last_ns);
  if (marks) keep_regular(trace, between(marks->begins, marks->begins.back()), steps);
  const bool marked = steps.found();
  const std::string repeat =
      std::string("counted by repeating ") + (launches.period.by_optimizer ? "optimizer launches" : "launches");
  if (marked) {
    steps.seen = launches.count;
    gather_rounds(trace, marks->begins, steps);
    steps.how = (steps.each == 1 ? repeat : "rounds of " + std::to_string(steps.each) + " steps each, " + repeat) +
                (has_place(places, marks->stack) ? ", from " + place_of(places, marks->stack) : "");
  } else {
    steps = Steps();
    keep_regular(trace, equal_steps(launches), steps);
    if (!steps.found()) return steps;
    steps.seen = launches.count;
    steps.median_ns = launches.mean_ns;
    steps.timed_mean_ns = static_cast<double>(launches.mean_ns);
    steps.evenly_cut = true;
    steps.how = launches.by_pauses ? "counted by bursts of " + std::to_string(launches.period.enqueues) +
                                         " launches with pauses between them; only the mean time is known"
                                   : repeat + ", of which only the mean time is known";
  }
  steps.confidence = launches.is_sure() && marked && steps.seen >= kSureSteps ? "high"
                     : launches.is_alike() || launches.period.alike >= kFair  ? "fair"
                                                                              : "low";
  doubt_the_period(launches, steps);
  return steps;
}

std::string lines_text(const Places& places, const LineSteps& lines) {
  return place_of(places, lines.stack) + " comes " + times(lines.begins.size());
}

// True if other sources do not contradict the steps of `launches`. An optimizer's steps are not contradicted by lines
// that occur less often (they log or validate), by lines that occur a multiple as often (they run more than once a
// step), or by a thread without lines (a backward pass or a runtime's worker).
bool is_settled(const LaunchSteps& launches, size_t lines, bool has_line) {
  if (!launches.period.by_optimizer) return launches.is_sure() && !has_line;
  const size_t times = (lines + launches.count / 2) / launches.count;
  return !has_line || lines < launches.count || (times >= 2 && same_count(lines, times * launches.count));
}

// True if the optimizer steps until the run ends. One that launches in warm-up steps alone is captured in a CUDA graph
// then, and each launch of the graph is a step.
bool lasts(const LaunchSteps& optimizer, const LaunchSteps& launches) {
  const auto end = static_cast<double>(std::max(optimizer.last_ns, launches.last_ns));
  const auto begin = static_cast<double>(optimizer.first_ns);
  return static_cast<double>(optimizer.last_ns) - begin >= kOptimizerLasts * (end - begin);
}

// What repeats more often than an optimizer steps is part of a step: layers of a model, or tokens that it generates, in
// a step that is longer than a window. What repeats as often as it steps is a step.
std::optional<LaunchSteps> steps_in_launches(const Trace& trace, const Places& places) {
  std::optional<LaunchSteps> launches = count_launch_steps(trace, places);
  if (!launches) return launches;
  if (!launches->period.by_optimizer) {
    std::optional<LaunchSteps> optimizer = count_optimizer_steps(trace, places, launches->device);
    if (!optimizer || !lasts(*optimizer, *launches)) return launches;
    if (same_count(launches->count, optimizer->count)) {
      launches->period.by_optimizer = true;
    } else {
      if (launches->count < kOftener * optimizer->count) return launches;
      optimizer->within = launches->count / optimizer->count;
      launches = std::move(optimizer);
    }
  }
  if (launches->disagreement.empty()) launches->disagreement = other_optimizer(trace, places, *launches);
  return launches;
}

std::string repeats_text(const LaunchSteps& launches) { return "the launches repeat " + times(launches.count); }

Steps ranges_or_launches(const Trace& trace, const Places& places, const RangeGroup& range, const Steps& ranges,
                         const std::optional<LaunchSteps>& launches) {
  if (!launches || same_count(range.begins.size(), launches->count)) return ranges;
  const std::string pushed = "the NVTX range '" + range.name + "' comes " + times(range.begins.size());
  if (launches->is_sure()) {
    Steps steps = of_launches(trace, places, *launches);
    if (steps.found()) {
      tell_disagreement(steps, repeats_text(*launches), pushed);
      return steps;
    }
  }
  Steps steps = ranges;
  tell_disagreement(steps, pushed, repeats_text(*launches));
  return steps;
}

Steps launches_or_lines(const Trace& trace, const Places& places, const LaunchSteps& launches,
                        const std::optional<LineSteps>& lines) {
  Steps steps = of_launches(trace, places, launches);
  if (!lines || steps.each != 1) return steps;
  const size_t count = lines->begins.size();
  if (steps.found() && is_settled(launches, count, has_place(places, lines->stack))) return steps;
  Steps by_lines = of_lines(trace, places, *lines);
  const bool lines_are_sure = by_lines.confidence == "high";
  if (same_count(count, launches.count)) {
    if (steps.doubt.empty() && lines_are_sure) steps.confidence = "high";
    return steps.found() ? steps : by_lines;
  }
  const bool launches_win = launches.is_sure() || !lines_are_sure || (launches.is_likely() && count < launches.count);
  if (steps.found() && launches_win) {
    tell_disagreement(steps, repeats_text(launches), lines_text(places, *lines));
    return steps;
  }
  tell_disagreement(by_lines, lines_text(places, *lines), repeats_text(launches));
  return by_lines;
}

// Steps from the most reliable source, with a note if others disagree.
Steps agree(const Trace& trace, const Places& places, const std::optional<LaunchSteps>& launches) {
  const std::vector<RangeGroup> groups = range_groups(trace);
  if (const RangeGroup* range = step_ranges(groups, launches ? launches->count : 0))
    if (const std::optional<Steps> ranges = of_ranges(trace, *range))
      return ranges_or_launches(trace, places, *range, *ranges, launches);
  const std::optional<LineSteps> lines = steps_by_lines(trace, places);
  if (launches) return launches_or_lines(trace, places, *launches, lines);
  return lines ? of_lines(trace, places, *lines) : Steps();
}

// The share of the time from the first regular step to the last that regular steps take.
double covered(const Steps& steps) {
  const auto span = static_cast<double>(steps.regular.back().end - steps.regular.front().begin);
  return static_cast<double>(steps.regular_ns()) / span;
}

// If the steps leave most of the time between the first and the last one to something else, they are not the program's
// steps. What a step launches may vary from step to step; then the number that most kinds of launches share counts.
void replace_if_most_is_left_out(const Trace& trace, const Places& places, uint32_t device, Steps& steps) {
  if (!steps.found() || steps.marked || covered(steps) >= kLeastCovered) return;
  steps.confidence = "low";
  const std::optional<LaunchSteps> common = count_common_launches(trace, device);
  if (!common) return;
  Steps counted = of_launches(trace, places, *common);
  if (!counted.found() || covered(counted) < kCoversMore * covered(steps)) return;
  counted.confidence = "low";
  tell_disagreement(counted, "most kinds of launches come " + times(common->count),
                    "what repeats most regularly comes " + times(steps.seen));
  steps = std::move(counted);
}

// An inner loop that waits in each iteration looks like a loop of steps.
void doubt_inner_loop(const Trace& trace, uint32_t device, Steps& steps) {
  if (!steps.doubt.empty() || steps.marked || steps.each != 1) return;
  const std::optional<RarerLaunches> rarer = find_rarer_launches(trace, device, steps.seen);
  if (!rarer) return;
  add_doubt(steps, std::to_string(rarer->kinds) + " kinds of launches come " + times(rarer->count) + ", once in " +
                       std::to_string(rarer->every) +
                       " of these steps; if they are no validation but begin the real step, " + kHowToChoose + " it");
  if (steps.confidence == "high") steps.confidence = "fair";
}

}  // namespace

Steps find_steps(const Trace& trace, const Places& places, const StepChoice& choice) {
  if (choice.made()) return chosen_steps(trace, places, choice);
  const std::optional<LaunchSteps> launches = steps_in_launches(trace, places);
  Steps steps = agree(trace, places, launches);
  const uint32_t device = launches ? launches->device : busiest_device(trace);
  replace_if_most_is_left_out(trace, places, device, steps);
  if (steps.found()) {
    if (!adds_up(steps)) lower(steps);
    if (!launches || !launches->period.by_optimizer) doubt_inner_loop(trace, device, steps);
    return steps;
  }
  steps = Steps();
  steps.how = !anything_waits(trace) ? "no call in this run waited for the GPU"
              : waits_often(trace)   ? "no NVTX range and no line repeats regularly"
                                     : "nothing in this run waits for the GPU often enough to count steps by";
  return steps;
}

}  // namespace syncsniff::timeline
