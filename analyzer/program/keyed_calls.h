// Calls of functions stored in a table under a name: table.call("scale", x, n), table.get("scale").call(x, n). The
// table's own functions look up the stored function and pass it the arguments. They are the same for every name, so
// their callees say nothing about a particular call. If the name is a literal, the call is resolved to the function
// stored under it.
#pragma once

#include <vector>

#include "analyzer/program/code.h"

namespace syncsniff::program {

// Rewrites such calls in these units, which are linked together, into calls of the stored functions.
void name_keyed_callees(const std::vector<facts::UnitFacts*>& units, const ApiTable& apis);

}  // namespace syncsniff::program
