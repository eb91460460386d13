#include "analyzer/program/program.h"

#include "analyzer/program/host_reads.h"
#include "analyzer/program/preparing.h"

namespace syncsniff::program {

Program::Program(std::vector<const facts::UnitFacts*> units, const ApiTable& apis, const Words& words,
                 LeftOver left_over)
    : words_(words),
      code_(units, apis),
      flows_(units, code_),
      usage_(usage_of(units, code_, flows_, left_over.beside_cuda)),
      graph_(link_calls(code_, flows_)),
      provenance_(code_, flows_, graph_),
      devices_(code_, flows_, graph_, provenance_,
               usage_.cuda_tensors ? find_host_reads(code_, flows_, graph_) : std::set<std::string>{}),
      effects_(code_, flows_, graph_, devices_, usage_.cuda_tensors),
      tasks_(code_, provenance_, graph_, effects_),
      wrappers_(code_, graph_, effects_),
      left_over_(left_over.beside_feeding) {
  find_taken();
  compute_heat();
  // Effects need to know where tensors live, and where those live of which nothing is known, effects help to tell.
  if (usage_.cuda_tensors) devices_.set_preparing(functions_that_prepare(code_, graph_, devices_, learns_));
}

}  // namespace syncsniff::program
