// What the conditions and loops of a function make of the heat that comes in: from its start down to a place, and
// through a call into the next function.
#pragma once

#include <map>
#include <utility>

#include "analyzer/program/heat.h"
#include "analyzer/program/loops.h"

namespace syncsniff::program {

class Descent {
 public:
  Descent(const Linked& linked, const Loops& loops, const ElementShare& share, const Words& words);

  // The heat of a place in a function that is entered with `heat`: its gates and loops passed.
  Heat descend(Heat heat, int function, int region) const;
  // What the call of a function that is entered with `heat` brings to the callee.
  Heat through(Heat heat, Site call, int callee) const;
  void pass_function_name(Heat& heat, int function) const;

 private:
  bool passes_validation(const Heat& heat, int function, int region, bool recurs) const;
  void pass_gate(Heat& heat, int function, int region, bool recurs) const;
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
  mutable std::map<std::pair<int, int>, bool> layers_in_, recurrences_;  // every place in a loop asks for them again
};

}  // namespace syncsniff::program
