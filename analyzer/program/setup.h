// Loops that launch GPU work and yet train nothing: loops over the devices, a few rounds of warm-up, and the work that
// a training program does before its first step and after its last.
#pragma once

#include <vector>

#include "analyzer/program/epochs.h"
#include "analyzer/program/repetitions.h"
#include "analyzer/program/waited_tasks.h"

namespace syncsniff::program {

class Setup {
 public:
  Setup(const Code& code, const Flows& flows, const CallGraph& graph, const EffectTable& effects,
        const FeedingLoops& feeding, const Epochs& epochs, const Repetitions& repetitions, const WaitedTasks& tasks);

  // A loop over the devices or the parts of something, a warm-up.
  bool is_brief(int function, int region) const { return brief_[function][region]; }
  // The function holds a loop that makes what the GPU works on.
  bool builds(int function) const { return builds_[function]; }

 private:
  std::vector<std::vector<bool>> brief_;
  std::vector<bool> builds_;
};

}  // namespace syncsniff::program
