// Tasks that another thread does while the one that asked for them waits: std::async(step).get(), pool.enqueue(step)
// and a get() of what it returned. Each is a call of the step, on another thread.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/effects.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

class WaitedTasks {
 public:
  // Adds the calls to the graph and, where there are any, computes the effects again: that nothing is launched between
  // a start and its wait is known only once there are effects.
  WaitedTasks(const Code& code, const Provenance& provenance, CallGraph& graph, EffectTable& effects);

  // A loop that starts threads, one a device, and leaves the waiting to others.
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
