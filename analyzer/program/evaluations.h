// Recognises loops that evaluate what another loop trains: the loop over the test batches, next to the one over the
// training batches.
#pragma once

#include <set>
#include <utility>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/feeding_loops.h"

namespace syncsniff::program {

class Evaluations {
 public:
  Evaluations(const Code& code, const CallGraph& graph, const FeedingLoops& feeding);

  // Whether everything that the loop launches is also launched by a sibling loop, except kernels of the sibling that
  // update memory in place (weights[i] -= rate * gradient[i]), which this loop does not launch.
  bool is_evaluation(int function, int region) const { return found_.count({function, region}) != 0; }

 private:
  std::set<std::pair<int, int>> found_;
};

}  // namespace syncsniff::program
