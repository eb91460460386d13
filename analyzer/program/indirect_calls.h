// Resolves calls through function pointers and callables, and calls that the standard library makes to functions passed
// to it.
#pragma once

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// The whole call graph, except the functions that other threads run (waited_tasks.h).
CallGraph link_calls(const Code& code, const Flows& flows);

}  // namespace syncsniff::program
