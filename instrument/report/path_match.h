// Are two paths the same source file? Findings, debug info and Python name files from different roots.
#pragma once

#include <string>

namespace syncsniff::report {

std::string last_component(const std::string& path);

// How many trailing components two paths share, `.` and `..` resolved by text; 0: other files (the names differ).
int common_suffix(const std::string& a, const std::string& b);

}  // namespace syncsniff::report
