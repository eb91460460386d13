// Recognises loops around a solver: each iteration sets up, runs an inner loop until it has converged, and tears down,
// as in a training for each fold of the data. What the inner loop repeats is what stalls the GPU.
#pragma once

#include <vector>

#include "analyzer/program/epochs.h"

namespace syncsniff::program {

class Runs {
 public:
  Runs(const Code& code, const CallGraph& graph, const FeedingLoops& feeding, const Epochs& epochs);

  // Whether the loop is a solver's: its head has no end condition, or a large number of iterations, as in for (;;) {
  // ...; if (converged) break; }.
  bool goes_on(int function, int region) const;
  // Whether the region contains a solver's loop. False if an optimizer steps in the region's own loop: that is then the
  // loop over steps, whatever it contains.
  bool is_around_runs(int function, int region) const {
    return holds_[function][region] && !epochs_.steps(function, region);
  }

 private:
  const Code& code_;
  const FeedingLoops& feeding_;
  const Epochs& epochs_;
  // By function and region: it contains a solver's loop, directly or through calls.
  std::vector<std::vector<bool>> holds_;
};

}  // namespace syncsniff::program
