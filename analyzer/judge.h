// Facts of all units -> findings: links the units and runs the checks in a worker process, so that a crash there
// neither ends the run nor loses the facts of the other units.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/facts/facts.h"
#include "analyzer/isolation/worker_pool.h"
#include "rules/finding.h"
#include "rules/rule.h"
#include "rules/words.h"

namespace syncsniff {

// The rules, API tables and words.
struct Knowledge {
  ApiTable apis;
  std::map<std::string, Rule> rules;
  Words words;
};

struct JudgeOptions {
  unsigned jobs = 1;
  isolation::Limits limits;
  std::string why_not_file;  // file of --why-not, canonical; empty: not given
  unsigned why_not_line = 0;
  std::vector<checks::CheckEntry> checks = checks::all_checks();
  std::vector<bool> of_interest;  // one a unit: only programs with one are judged; empty: all are
  std::function<void()> tick;     // called several times a second while the program is linked and checked
  // Makes the units those of the state before a change, which then is judged, too, in a second worker at the same time.
  std::function<void(std::vector<facts::UnitFacts>&)> go_back;
};

struct Judgement {
  std::vector<Finding> findings;
  std::vector<PathStep> answers;            // for --why-not: why the line has no finding, or a less severe one
  std::vector<std::string> rules_left_out;  // rules that were left out, and why: one line each
  // Of the state before: nothing where that was not asked for, or could not be judged.
  std::optional<std::vector<Finding>> before;
};

// A unit whose facts fail the linking or the checks is left out: its facts are emptied and its `errors` say why. Where
// each passes alone and only all of them together do not, the check that crashed or took longest is left out; where the
// linking fails, the units with the most facts go first.
Judgement judge(std::vector<facts::UnitFacts>& units, const Knowledge& known, const JudgeOptions& options);

}  // namespace syncsniff
