// How much text a row of headers brings, so that a preamble is made where it saves seconds and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/command.h"

namespace syncsniff::facts {

// The first of the headers, up to the one that makes them, with what they include in turn, so long that to read them
// takes most of a unit's time; nothing where they are not. Reads text and no conditions, and only headers below folders
// that the command names.
std::vector<std::string> heavy_part(const std::vector<std::string>& headers, const frontend::UnitCommand& command);

}  // namespace syncsniff::facts
