// Finds functions that prepare data on the host: they read files and do not use the GPU, as do functions that only they
// call. A tensor created there of which nothing else is known is in host memory.
#pragma once

#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/devices.h"
#include "analyzer/program/learning.h"

namespace syncsniff::program {

std::vector<bool> functions_that_prepare(const Code& code, const CallGraph& graph, const TensorDevices& devices,
                                         const Learning& learning);

}  // namespace syncsniff::program
