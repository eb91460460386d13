// Loops that try out what another loop trains: the loop over the test batches, beside the one over the training
// batches.
#pragma once

#include <map>
#include <utility>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/feeding_loops.h"

namespace syncsniff::program {

class Evaluations {
 public:
  Evaluations(const Code& code, const CallGraph& graph, const FeedingLoops& feeding);

  // The loop that trains, where this one launches nothing but what that one launches as well, and leaves out kernels
  // that update memory in place (weights[i] -= rate * gradient[i]). Null: it is no evaluation, as far as kernels show.
  const facts::Place* trained_by(int function, int region) const;

 private:
  std::map<std::pair<int, int>, const facts::Place*> trained_by_;
};

}  // namespace syncsniff::program
