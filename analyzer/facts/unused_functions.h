// Facts of headers are in every unit that includes them. A unit keeps those that it uses, or that somebody it does not
// show may use to move the GPU's work or its memory; accessors of generated code, thousands in a header, are neither.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// Leaves out functions of headers that no other function of the unit names, directly or through others, and that touch
// neither the GPU nor where pointers are kept. A unit that could not be read whole keeps all: its calls may be lost.
void drop_unused_functions(UnitFacts& unit);

}  // namespace syncsniff::facts
