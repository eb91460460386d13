// Loops that try out what another loop trains: the loop over the test batches, beside the one over the training
// batches.
#pragma once

#include <set>
#include <utility>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/feeding_loops.h"

namespace syncsniff::program {

class Evaluations {
 public:
  Evaluations(const Code& code, const CallGraph& graph, const FeedingLoops& feeding);

  // The loop launches nothing but what a loop beside it launches as well, and leaves out kernels of that one which
  // update memory in place (weights[i] -= rate * gradient[i]).
  bool is_evaluation(int function, int region) const { return found_.count({function, region}) != 0; }

 private:
  std::set<std::pair<int, int>> found_;
};

}  // namespace syncsniff::program
