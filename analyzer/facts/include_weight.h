// How much text a list of headers includes, so that a preamble is made only where it saves seconds.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/command.h"

namespace syncsniff::facts {

// The shortest prefix of `headers` whose text, with everything that it includes, is so long that reading it takes most
// of a unit's time; nothing if even all headers are too short. Conditions of the preprocessor are ignored, and so are
// headers outside the folders that the command names.
std::vector<std::string> heavy_part(const std::vector<std::string>& headers, const frontend::UnitCommand& command);

}  // namespace syncsniff::facts
