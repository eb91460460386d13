// `syncsniff rules`, `list-checks`, `explain ID` and `rule ID`: the rules as their YAML and the configuration file have
// them.
#pragma once

#include <iosfwd>
#include <string>

#include "rules/config/config.h"

namespace syncsniff::cli {

// All throw std::runtime_error (one line) when the tables or the configuration cannot be read, or the id is unknown.
void print_rules(std::ostream& out);
// Those that the configuration turns on; `all`: every rule, with `on` or `off`.
void print_checks(const ConfigChoice& choice, bool all, std::ostream& out);
void print_rule(const std::string& id, const ConfigChoice& choice, std::ostream& out);

}  // namespace syncsniff::cli
