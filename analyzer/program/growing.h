// Finds functions that move the content of device memory to a larger allocation, as an arena or a vector does from time
// to time. They do so rarely, however often they are called.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

std::vector<bool> functions_that_move_content(const Code& code, const EffectTable& effects);

}  // namespace syncsniff::program
