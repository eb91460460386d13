// Facts of a header are in every unit that includes it. A unit keeps those that it uses, and those that code outside
// the unit may use to move GPU work or GPU memory. Accessors of generated code, thousands in a header, are neither.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// Removes functions of headers that no other function of the unit names, directly or through others, and that touch
// neither the GPU nor pointers that are stored. A unit that could not be read completely keeps all functions, since
// calls may be missing.
void drop_unused_functions(UnitFacts& unit);

}  // namespace syncsniff::facts
