// Which rules are on: by level, then by globs in order, as in clang-tidy.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace syncsniff {

// `*` stands for any text; no other character is special.
bool glob_matches(std::string_view glob, std::string_view text);

// Splits a list at commas and blanks.
std::vector<std::string> split_list(const std::string& list);

// What is wrong with a glob of rules (`sync-*`, `-cold-timing`), as a line that contains the glob; empty: it matches a
// rule.
std::string why_no_rule(const std::string& glob, const std::map<std::string, Rule>& rules);

struct RuleChoice {
  std::vector<std::string> globs;  // each turns on the rules that it matches, or turns them off if it begins with `-`
  int level = 1;                   // rules up to this level are on before the globs apply
};

// The rules that are on, each with the highest level that its findings may have, since a finding may be less certain
// than its rule. A rule that a glob turns on is on whatever its level.
std::map<std::string, int> chosen_rules(const RuleChoice& choice, const std::map<std::string, Rule>& rules);

}  // namespace syncsniff
