// Compares paths of source files: findings, debug info and Python name files from different root folders.
#pragma once

#include <string>

namespace syncsniff::report {

std::string last_component(const std::string& path);

// Number of trailing components that two paths share, with `.` and `..` resolved textually; 0: different files.
int common_suffix(const std::string& a, const std::string& b);

}  // namespace syncsniff::report
