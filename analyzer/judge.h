// Facts of all units -> findings: links them and runs the checks, in a worker process, so that what goes wrong there
// ends neither the run nor what is known of the other units.
#pragma once

#include <map>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/isolation/worker_pool.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff {

struct JudgeOptions {
  unsigned jobs = 1;
  isolation::Limits limits;
};

// A unit whose facts fail the linking or the checks is left out: its facts are emptied and its `errors` say why. Where
// each passes alone and only all of them together do not, the units with the most facts go first.
std::vector<Finding> judge(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                           const std::map<std::string, Rule>& rules, const JudgeOptions& options);

}  // namespace syncsniff
