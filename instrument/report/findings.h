// What `check` found and what the rules say, ready to be joined with a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/api_facts.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::report {

struct StaticSide {
  std::vector<Finding> findings;  // of all files; one per rule and place, whatever its callers
  std::map<std::string, Rule> rules;
  ApiTable apis;                   // what the functions do that findings name
  std::vector<std::string> notes;  // one line each, for the report's end
  bool given = false;              // was a findings file given at all?
};

// Throws std::runtime_error naming the file. Rules come from the data folder of this installation; without it the
// thresholds below count and a note says so.
StaticSide load_static_side(const std::vector<std::string>& findings_files);

inline constexpr double kDefaultMinWaitUs = 50, kDefaultMinSharePct = 1, kDefaultMinLaunches = 8;

double threshold(const StaticSide& side, const std::string& rule, const std::string& name, double otherwise);

}  // namespace syncsniff::report
