// The pages of docs/rules/, made from rules/checks/: nothing on them is written anywhere else.
// Run `syncsniff-docs <rules/checks> <docs/rules>` after a rule's YAML has changed; a test compares.
#pragma once

#include <map>
#include <string>

#include "rules/rule.h"

namespace syncsniff {

std::string render_rule_page(const Rule& rule);
std::string render_rule_index(const std::map<std::string, Rule>& rules);

// Every page by its file name: one a rule, and README.md.
std::map<std::string, std::string> render_rule_docs(const std::map<std::string, Rule>& rules);

}  // namespace syncsniff
