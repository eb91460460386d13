// Functions that prepare data on the host: they read files and touch no GPU, as does whatever only they call. A tensor
// made there, of which nothing else is known, is in host memory.
#pragma once

#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/devices.h"

namespace syncsniff::program {

// `learns`: of each function, whether it trains (learning.h).
std::vector<bool> functions_that_prepare(const Code& code, const CallGraph& graph, const TensorDevices& devices,
                                         const std::vector<bool>& learns);

}  // namespace syncsniff::program
