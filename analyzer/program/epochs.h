// Which loops are loops over steps, and which are loops over epochs around them. A loop in which an optimizer steps is
// one over steps. Names count only where the code decides nothing.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/program/feeding_loops.h"
#include "rules/words.h"

namespace syncsniff::program {

class Epochs {
 public:
  Epochs(const Code& code, const CallGraph& graph, const EffectTable& effects, const FeedingLoops& feeding,
         const Words& words);

  // Whether an optimizer steps in the loop; whether a region contains such a loop, directly or through calls.
  bool steps(int function, int region) const { return steps_[function][region]; }
  bool holds_step_loop(int function, int region) const { return holds_steps_[function][region]; }
  // Whether a function contains such a loop, directly or through calls.
  bool trains(int function) const { return trains_[function]; }
  bool any_trains() const;
  bool is_epoch_loop(int function, int region) const;
  // Whether an inner loop is one over steps: an optimizer steps in it, it makes many iterations, or (`by_name`) words
  // in its head say so.
  bool holds_steps(int function, int region, bool by_name) const;
  bool looks_like_steps(const Region& loop, bool by_name) const;

 private:
  bool read_event(Site site, bool is_update);
  bool leads_to_update(Site site) const;
  bool looks_like_epoch_loop(int function, int region) const;
  bool repeats_steps(int function, int region, bool by_name, int depth = 0) const;
  bool callee_repeats_steps(int function, bool by_name, int depth) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const FeedingLoops& feeding_;
  const Words& words_;
  std::vector<std::vector<bool>> steps_, holds_steps_;
  std::vector<bool> updates_, trains_;  // updates_: calls an optimizer's step outside of any loop
  // Cached, since they are queried for every place in a loop; callees by the function and the depth of calls.
  mutable std::map<std::pair<int, int>, bool> epoch_loops_, repeating_callees_;
};

}  // namespace syncsniff::program
