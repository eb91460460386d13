// How the conditions and loops of a function change heat: from the function's start down to a place, and through a call
// into the callee.
#pragma once

#include <map>
#include <utility>

#include "analyzer/program/ending_flags.h"
#include "analyzer/program/heat.h"
#include "analyzer/program/loops.h"

namespace syncsniff::program {

class Descent {
 public:
  Descent(const Linked& linked, const Loops& loops, const ElementShare& share, const Words& words);

  // The heat of a region in a function that is entered with `heat`, after all gates and loops around the region.
  Heat descend(Heat heat, int function, int region) const;
  // The heat with which the call enters `callee`, if the call's function is entered with `heat`.
  Heat through(Heat heat, Site call, int callee) const;
  // A call that resumes a coroutine runs an iteration of the loop in which the coroutine is suspended.
  void pass_resumption(Heat& heat, Site call, int callee) const;
  void pass_function_name(Heat& heat, int function) const;

 private:
  bool passes_validation(const Heat& heat, int function, int region, bool recurs) const;
  void leave_worker_loop(Heat& heat, const Function& function, int region) const;
  void pass_gate(Heat& heat, int function, int region, bool recurs) const;
  void pass_outer_loop(Heat& heat, int function, int region) const;
  void pass_inner_loop(Heat& heat, int function, int region, bool recurs) const;
  bool runs_each_step(const Heat& heat) const;
  bool runs_layer(int function, int region) const;
  bool recurs_over_rows(int function, int region) const;

  const Code& code_;
  const EffectTable& effects_;
  const Learning& learning_;
  const Loops& loops_;
  const ElementShare& share_;
  const Words& words_;
  const Words no_words_;
  const EndingFlags ending_flags_;
  mutable std::map<std::pair<int, int>, bool> layers_in_, recurrences_;  // cached: queried for every place in a loop
};

}  // namespace syncsniff::program
