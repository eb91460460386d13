// One rule as stated in its YAML in rules/checks/: texts, level, thresholds, examples. The analyzer, the report and the
// docs generator read all rule texts from here, so that none is written twice.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace syncsniff {

struct Rule {
  std::string id;
  std::string group;  // waiting | copying | launching | measuring | kernels
  int level = 0;
  std::string summary;  // one line
  std::string why;
  std::string fix;                             // what to do, one or two sentences
  std::map<std::string, std::string> fix_for;  // other fixes for named cases of the pattern: readback, timing
  std::string fix_safety;
  std::vector<std::string> never;   // what the rule never reports
  std::vector<std::string> beside;  // rules that may report the same line, for another reason
  std::map<std::string, double> thresholds;
  std::string bad, good;  // complete examples, or function bodies that tests wrap
  std::string language;   // cuda | libtorch: the language of `bad` and `good`
};

using Thresholds = std::map<std::string, std::map<std::string, double>>;  // by rule and name

// The rules with these thresholds replacing their own. Throws std::out_of_range for an unknown rule or name.
std::map<std::string, Rule> with_thresholds(std::map<std::string, Rule> rules, const Thresholds& thresholds);

// All rules of a folder, by id. Throws DataError (data_error.h).
std::map<std::string, Rule> load_rules(const std::string& directory);

}  // namespace syncsniff
