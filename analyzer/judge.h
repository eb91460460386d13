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

// A unit whose facts fail the linking or the checks, or are too many for them, is left out: its facts are emptied and
// its `errors` say why. The units with the most facts are tried first.
std::vector<Finding> judge(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                           const std::map<std::string, Rule>& rules, const isolation::Limits& limits);

}  // namespace syncsniff
