// `syncsniff rules` and `syncsniff rule ID`: the rules as their YAML tells them.
#pragma once

#include <iosfwd>
#include <string>

namespace syncsniff::cli {

// Both throw std::runtime_error (one line) when the tables cannot be read or the id is unknown.
void print_rules(std::ostream& out);
void print_rule(const std::string& id, std::ostream& out);

}  // namespace syncsniff::cli
