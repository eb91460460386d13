// The headers of others that a unit includes before anything else of it is read: what a preamble can hold.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// As an #include in angle brackets names them, in the order in which they are met: by the unit itself, or by headers of
// the project that it includes first. Ends before the first line that is neither an #include nor an include guard.
// Looks at the text alone: Clang may see it otherwise, so that who uses a preamble compares (preamble_check.h).
std::vector<std::string> leading_includes(const frontend::UnitCommand& command, const std::string& project_root,
                                          const SourceTexts& texts);

// The C++ standard lets these be included again with no further effect; <cassert> answers to NDEBUG alone.
bool is_standard_header(const std::string& name);

}  // namespace syncsniff::facts
