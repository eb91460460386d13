// Gates that hang on what another function answers or on who else turns a flag: settled when all units are known.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// Gives every region with an open question its gate, where all the functions of that name agree on one.
void answer_questions(std::vector<facts::UnitFacts>& units);

}  // namespace syncsniff::program
