// Loops around a solver: each iteration sets up, lets a loop inside go on until it is done, and tears down, as in a
// training for each fold of the data. What the inner loop does again and again is what stalls the GPU.
#pragma once

#include <vector>

#include "analyzer/program/epochs.h"

namespace syncsniff::program {

class Runs {
 public:
  Runs(const Code& code, const CallGraph& graph, const FeedingLoops& feeding, const Epochs& epochs);

  // for (;;) { ...; if (converged) break; }: its head names no end, or one far away.
  bool goes_on(int function, int region) const;
  // An optimizer that steps in the loop itself makes it the loop over the steps, whatever it holds.
  bool is_around_runs(int function, int region) const {
    return holds_[function][region] && !epochs_.steps(function, region);
  }

 private:
  const Code& code_;
  const FeedingLoops& feeding_;
  const Epochs& epochs_;
  std::vector<std::vector<bool>> holds_;  // of a function's regions: a solver's loop, here or in what they call
};

}  // namespace syncsniff::program
