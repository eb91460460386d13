// Recognises loops that launch GPU work but do not train: loops over devices, a few rounds of warm-up, and work before
// the first and after the last step.
#pragma once

#include <vector>

#include "analyzer/program/epochs.h"
#include "analyzer/program/repetitions.h"
#include "analyzer/program/rounds.h"
#include "analyzer/program/waited_tasks.h"

namespace syncsniff::program {

class Setup {
 public:
  Setup(const Code& code, const Flows& flows, const CallGraph& graph, const EffectTable& effects,
        const FeedingLoops& feeding, const Epochs& epochs, const Repetitions& repetitions, const Rounds& rounds,
        const WaitedTasks& tasks);

  // Whether the loop goes over devices or over the parts of something, or is a warm-up.
  bool is_brief(int function, int region) const { return brief_[function][region]; }
  // Whether the function contains a loop that creates the data on which the GPU works.
  bool builds(int function) const { return builds_[function]; }

 private:
  std::vector<std::vector<bool>> brief_;
  std::vector<bool> builds_;
};

}  // namespace syncsniff::program
