// Tasks that another thread runs while the thread that started them waits: std::async(step).get(), or
// pool.enqueue(step) followed by get() on its result. Each counts as a call of the step.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/effects.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

class WaitedTasks {
 public:
  // Adds these calls to the graph and, if there are any, recomputes the effects. The effects must exist before, since
  // only they show that nothing is launched between a start and its wait.
  WaitedTasks(const Code& code, const Provenance& provenance, CallGraph& graph, EffectTable& effects);

  // Whether the loop only starts threads, one per device, and the waits are outside of it.
  bool only_starts_threads(int function, int region) const { return fan_outs_.count({function, region}) != 0; }

 private:
  struct Task {
    Site start;
    int wait;
    std::vector<int> runs;
  };
  static std::vector<Task> find(const Code& code, const Provenance& provenance, const EffectTable& effects);

  std::set<std::pair<int, int>> fan_outs_;
};

}  // namespace syncsniff::program
