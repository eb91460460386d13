// Generates the pages of docs/rules/ from rules/checks/; no text of these pages is written elsewhere. Run
// `syncsniff-docs <rules/checks> <docs/rules>` after a rule's YAML has changed; a test compares.
#pragma once

#include <map>
#include <string>

#include "rules/rule.h"

namespace syncsniff {

std::string render_rule_page(const Rule& rule);
std::string render_rule_index(const std::map<std::string, Rule>& rules);

// All pages by file name: one per rule, and README.md.
std::map<std::string, std::string> render_rule_docs(const std::map<std::string, Rule>& rules);

}  // namespace syncsniff
