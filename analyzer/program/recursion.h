// Functions that call themselves, directly or in a cycle: what grows a tree or halves a range repeats its work as a
// loop does.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

// Of each function: whether it is in a cycle of calls that launches GPU work.
std::vector<bool> recursive_functions(const Code& code, const CallGraph& graph, const EffectTable& effects);

}  // namespace syncsniff::program
