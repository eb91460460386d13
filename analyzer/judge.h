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
  std::vector<bool> of_interest;  // one flag per unit: only programs with a flagged unit are judged; empty: all are
  std::function<void()> tick;     // called several times a second while the program is linked and checked
  // Changes the units back to the state before a change, which is then judged, too, in a second worker at the same
  // time.
  std::function<void(std::vector<facts::UnitFacts>&)> go_back;
};

struct Judgement {
  std::vector<Finding> findings;
  std::vector<PathStep> answers;            // for --why-not: why the line has no finding, or a less severe one
  std::vector<std::string> rules_left_out;  // one line for each rule that was left out, with the reason
  // The findings of the state before; nothing if that was not requested, or could not be judged.
  std::optional<std::vector<Finding>> before;
};

// A unit whose facts make linking or the checks fail is left out: its facts are emptied and its `errors` say why. If
// each unit passes alone and only all together fail, the check that crashed or took longest is left out; if linking
// fails, the units with the most facts are left out first.
Judgement judge(std::vector<facts::UnitFacts>& units, const Knowledge& known, const JudgeOptions& options);

}  // namespace syncsniff
