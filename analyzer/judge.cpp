#include "analyzer/judge.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "analyzer/checks/check.h"
#include "analyzer/finding_archive.h"
#include "analyzer/isolation/progress.h"
#include "analyzer/link_and_check.h"
#include "analyzer/read_units.h"

namespace syncsniff {
namespace {

using facts::UnitFacts;

// Leaving out a rule costs one more run, up to the time limit. After four rules, units are left out instead, since a
// program that fails with every rule has another problem.
constexpr size_t kMostRulesLeftOut = 4;

std::string bytes_of(Checked& checked) {
  facts::ByteWriter writer;
  writer(checked.findings, checked.answers);
  return writer.bytes();
}

std::vector<size_t> heaviest_first(const std::vector<UnitFacts>& units) {
  std::vector<size_t> order, weights;
  for (const UnitFacts& unit : units) weights.push_back(weight(unit));
  order.resize(units.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  while (!order.empty() && weights[order.back()] == 0) order.pop_back();
  return order;
}

void leave_out(UnitFacts& unit, const std::string& why) { unit = failed_unit(unit.file, "left out: " + why); }

// `failure` of a unit or a program, as a verb: "crashed (signal 11 ...)", "took over 60 s".
std::string verb_of(const std::string& failure) { return failure.rfind("over ", 0) == 0 ? "took " + failure : failure; }

bool is_of_time(const std::string& failure) {
  return failure.rfind("over ", 0) == 0 && (failure.ends_with(" s") || failure.ends_with(" s by the clock"));
}

// Links and checks each unit alone: why it failed, or empty, in the order of the units.
std::vector<std::string> failures_alone(const std::vector<UnitFacts>& units, const Knowledge& known,
                                        const JudgeOptions& options) {
  std::vector<std::string> failures(units.size());
  isolation::run_isolated(
      units.size(), options.jobs, options.limits,
      [&](size_t i) {
        std::vector<UnitFacts> alone{units[i]};
        Checked checked = link_and_check(alone, known, {{}, options.checks, 1, nullptr, {}});
        bytes_of(checked);
        return std::string();
      },
      [](size_t) {}, [&](size_t i, isolation::Outcome outcome) { failures[i] = std::move(outcome.failure); });
  return failures;
}

struct Failure {
  std::string how;
  size_t step = kLinking;  // the check that crashed, or took the most time
};

bool read_judgement(const isolation::Outcome& outcome, Judgement& judgement) {
  facts::ByteReader reader(outcome.answer);
  return outcome.failure.empty() && (reader(judgement.findings, judgement.answers), reader.ok() && reader.at_end());
}

// Links and checks all remaining units with the remaining rules; nullopt if that failed, with the reason in `failure`.
std::optional<Judgement> judge_together(std::vector<UnitFacts>& units, const Knowledge& known,
                                        const JudgeOptions& options, const Checks& checks, Failure& failure) {
  const checks::RequestedLine requested{options.why_not_file, options.why_not_line};
  isolation::Progress progress(step_of(checks.size()));
  const size_t states = options.go_back ? 2 : 1;
  std::vector<isolation::Outcome> outcomes(states);
  const unsigned jobs = std::max(1u, options.jobs / static_cast<unsigned>(states));
  isolation::run_isolated(
      states, std::min<unsigned>(options.jobs, states), options.limits,
      [&](size_t state) {
        if (state == 1) options.go_back(units);  // only in this worker's memory
        auto* never_freed = new Checked(link_and_check(
            units, known, {requested, checks, jobs, state == 0 ? &progress : nullptr, options.of_interest}));
        return bytes_of(*never_freed);  // the worker exits
      },
      [](size_t) {}, [&](size_t state, isolation::Outcome result) { outcomes[state] = std::move(result); },
      options.tick);
  Judgement judgement;
  if (read_judgement(outcomes[0], judgement)) {
    Judgement before;
    if (states == 2 && read_judgement(outcomes[1], before)) judgement.before = std::move(before.findings);
    return judgement;
  }
  failure.how = outcomes[0].failure.empty() ? "crashed (its answer was cut off)" : outcomes[0].failure;
  failure.step = is_of_time(failure.how) ? progress.longest() : progress.last();
  return std::nullopt;
}

// Leaves out units that fail alone; true if there were any, in which case the others may pass together.
bool leave_out_those_that_fail_alone(std::vector<UnitFacts>& units, const Knowledge& known,
                                     const JudgeOptions& options) {
  const std::vector<std::string> alone = failures_alone(units, known, options);
  bool any = false;
  for (size_t i = 0; i < units.size(); ++i) {
    if (alone[i].empty()) continue;
    leave_out(units[i], "the checks of this unit " + verb_of(alone[i]));
    any = true;
  }
  return any;
}

}  // namespace

Judgement judge(std::vector<UnitFacts>& units, const Knowledge& known, const JudgeOptions& options) {
  Failure failure;
  Checks checks = options.checks;
  if (auto judgement = judge_together(units, known, options, checks, failure)) return *std::move(judgement);
  bool changed = leave_out_those_that_fail_alone(units, known, options);
  const std::vector<size_t> order = heaviest_first(units);
  std::vector<std::string> rules_left_out;
  // Leaves out one more unit, then two more, four more: even if nothing helps, a program of a thousand units is tried
  // only ten times.
  for (size_t units_left_out = 0, more = 1;; changed = true) {
    if (changed) {
      if (auto judgement = judge_together(units, known, options, checks, failure)) {
        judgement->rules_left_out = std::move(rules_left_out);
        return *std::move(judgement);
      }
    }
    if (failure.step != kLinking && rules_left_out.size() < kMostRulesLeftOut) {
      const auto check = checks.begin() + static_cast<std::ptrdiff_t>(failure.step - step_of(0));
      rules_left_out.push_back(std::string(check->id) + " was not checked: it " + verb_of(failure.how));
      checks.erase(check);
      continue;
    }
    if (units_left_out == order.size())
      throw std::runtime_error("the checks " + verb_of(failure.how) + " without any unit");
    for (size_t i = 0; i < more && units_left_out < order.size(); ++i)
      leave_out(units[order[units_left_out++]], "the program with this unit " + verb_of(failure.how) +
                                                    (failure.step == kLinking ? " when it was linked" : ""));
    more *= 2;
  }
}

}  // namespace syncsniff
