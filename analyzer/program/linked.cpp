#include "analyzer/program/linked.h"

#include "analyzer/program/host_reads.h"
#include "analyzer/program/indirect_calls.h"
#include "analyzer/program/preparing.h"

namespace syncsniff::program {

Linked::Linked(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis, bool beside_cuda)
    : code(units, apis),
      flows(units, code),
      usage(usage_of(units, code, flows, beside_cuda)),
      graph(link_calls(code, flows)),
      provenance(code, flows, graph),
      devices(code, flows, graph, provenance,
              usage.cuda_tensors ? find_host_reads(code, flows, graph) : std::set<std::string>{}),
      effects(code, flows, graph, devices, usage.cuda_tensors),
      tasks(code, provenance, graph, effects),
      outside(code, flows, graph),
      wrappers(code, graph, effects),
      callbacks(code, graph, provenance),
      learning(code, graph) {
  // This comes last: which functions use the GPU depends on where their tensors are. The result only affects tensors of
  // which nothing else is known, and only checks query these.
  if (usage.cuda_tensors) devices.set_preparing(functions_that_prepare(code, graph, devices, learning));
}

}  // namespace syncsniff::program
