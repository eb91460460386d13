// Tensors that are on the CPU because the host reads or writes their elements: `x.data_ptr<int>()[i]`,
// `x.accessor<>()`, or `sum(x.data_ptr<float>(), n)` where sum() reads what it is handed.
#pragma once

#include <set>
#include <string>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// The tensor parameters, and pointers, of which the host reads the elements, here or in what a function hands them to.
std::set<std::string> find_host_reads(const Code& code, const Flows& flows, const CallGraph& graph);

}  // namespace syncsniff::program
