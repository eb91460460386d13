// Calls of what a function pointer or callable holds, and of what the standard library is given to call.
#pragma once

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// The whole graph, but for what other threads are given to run (waited_tasks.h).
CallGraph link_calls(const Code& code, const Flows& flows);

}  // namespace syncsniff::program
