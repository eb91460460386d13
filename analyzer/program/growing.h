// Functions that move what device memory holds to a larger place, as an arena or a vector does now and then: whoever
// calls them how often, they do that seldom.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

std::vector<bool> functions_that_move_content(const Code& code, const EffectTable& effects);

}  // namespace syncsniff::program
