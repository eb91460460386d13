// Paths in the forms in which the analysis compares them and users see them.
#pragma once

#include <string>

#include "analyzer/frontend/command.h"

namespace syncsniff {

// Absolute, links resolved as far as the path exists.
std::string canonical(const std::string& path);
// Relative to the working directory when below it, else canonical. Empty stays empty.
std::string shown(const std::string& path);
// The path of the command's unit as the command gives it, made absolute; links are not resolved.
std::string given_path(const frontend::CompileCommand& command);
// The canonical path of the command's unit.
std::string unit_path(const frontend::CompileCommand& command);

}  // namespace syncsniff
