// The foreign headers that a unit includes before anything else in it is read: what a preamble can hold.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// The names as an #include in angle brackets has them, in the order in which the unit, or headers of the project that
// it includes first, includes them. Stops before the first line that is neither an #include nor an include guard. Reads
// only the text: Clang may see it differently, so users of a preamble compare (preamble_check.h).
std::vector<std::string> leading_includes(const frontend::UnitCommand& command, const std::string& project_root,
                                          const SourceTexts& texts);

// Including one of these again has no further effect, by the C++ standard; only <cassert> depends on NDEBUG.
bool is_standard_header(const std::string& name);

}  // namespace syncsniff::facts
