// The findings of `check` and the rules' data, prepared for the join with a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/api_facts.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::report {

struct StaticSide {
  std::vector<Finding> findings;  // of all files; one per rule and place, regardless of callers
  std::map<std::string, Rule> rules;
  ApiTable apis;                   // what the functions named by findings do
  std::vector<std::string> notes;  // one line each, for the report's end
  bool given = false;              // was a findings file given?
};

// Throws std::runtime_error, whose message names the file. Rules come from the data folder of this installation;
// without it the thresholds below apply and a note says so.
StaticSide load_static_side(const std::vector<std::string>& findings_files);

inline constexpr double kDefaultMinWaitUs = 50, kDefaultMinSharePct = 1, kDefaultMinLaunches = 8;

double threshold(const StaticSide& side, const std::string& rule, const std::string& name, double otherwise);

}  // namespace syncsniff::report
