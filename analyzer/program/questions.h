// Resolves gates that depend on another function's result or on where else a flag is set. They can be decided only when
// all units are known.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// Sets the gate of every region whose gate is open, if all functions of the name in question agree on it.
void answer_questions(std::vector<facts::UnitFacts>& units);

}  // namespace syncsniff::program
