// Calls of what a table keeps under a name: table.call("scale", x, n), table.get("scale").call(x, n). The table's own
// functions, which find the function and hand it the arguments, are the same for every name, so that what they call
// says nothing of one call. Where the name is a literal, the call is one of the function that is kept under it.
#pragma once

#include <vector>

#include "analyzer/program/code.h"

namespace syncsniff::program {

// Makes such calls of these units, which are linked together, calls of the functions themselves.
void name_keyed_callees(const std::vector<facts::UnitFacts*>& units, const ApiTable& apis);

}  // namespace syncsniff::program
