// Functions that call themselves, directly or in a cycle. Code that grows a tree or halves a range repeats its work in
// this way, as a loop does.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

// For each function: whether it is in a cycle of calls that launches GPU work.
std::vector<bool> recursive_functions(const Code& code, const CallGraph& graph, const EffectTable& effects);

}  // namespace syncsniff::program
