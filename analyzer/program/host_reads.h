// Finds tensors that must be on the CPU because the host reads or writes their elements: `x.data_ptr<int>()[i]`,
// `x.accessor<>()`, or `sum(x.data_ptr<float>(), n)` where sum() reads its argument.
#pragma once

#include <set>
#include <string>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// The tensors and pointers whose elements the host reads, in the function itself or in one to which they are passed.
std::set<std::string> find_host_reads(const Code& code, const Flows& flows, const CallGraph& graph);

}  // namespace syncsniff::program
