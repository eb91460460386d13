// Which loops are those of the steps and which those of the epochs around them. What the loops hold decides: a step is
// what the optimizer steps in. Names are asked only where the code does not tell.
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

  // A loop that an optimizer steps in, and a region that holds such a loop, here or in what it calls.
  bool steps(int function, int region) const { return steps_[function][region]; }
  bool holds_step_loop(int function, int region) const { return holds_steps_[function][region]; }
  // A function that holds such a loop, here or in what it calls.
  bool trains(int function) const { return trains_[function]; }
  bool any_trains() const;
  bool is_epoch_loop(int function, int region) const;
  // As far as the code shows: an optimizer steps in a loop inside, or a loop inside makes many iterations; or else, as
  // far as words do (`by_name`).
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
  std::vector<bool> updates_, trains_;  // updates: calls an optimizer's step outside of any loop
  // Every place in a loop asks for these again; of callees by the function and the depth of calls.
  mutable std::map<std::pair<int, int>, bool> epoch_loops_, repeating_callees_;
};

}  // namespace syncsniff::program
