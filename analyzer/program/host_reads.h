// Tensors that are on the CPU because the host reads or writes their elements: `x.data_ptr<int>()[i]`,
// `x.accessor<>()`.
#pragma once

#include <set>
#include <string>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// The tensor parameters of which the host reads the elements, here or in what a function hands them to.
std::set<std::string> find_host_reads(const Code& code, const Flows& flows, const CallGraph& graph);

}  // namespace syncsniff::program
