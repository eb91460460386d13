// Loops that give each of several arrays its content before a program trains: each iteration works on arrays of its
// own, or makes an object and adds it to a list, and a later loop goes on from one iteration to the next. They run
// once.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/program/adding.h"
#include "analyzer/program/heat.h"
#include "analyzer/program/loops.h"

namespace syncsniff::program {

class Filling {
 public:
  // `heat_in`: that each function is entered with, which tells by which calls the program comes to a loop.
  Filling(const Linked& linked, const Loops& loops, const ElementShare& share, const std::vector<Heat>& heat_in);

  bool fills_before_training(int function, int region) const;

 private:
  bool repeats(int function, int region) const;
  bool is_training_loop(int function, int region) const;
  bool holds_training_loop(int function) const;
  bool trains_behind(Site site) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Learning& learning_;
  const Loops& loops_;
  const ElementShare& share_;
  const std::vector<Heat>& heat_in_;
  const Adding adding_;
  mutable std::map<std::pair<int, int>, bool> fills_before_;  // every place in a loop asks for it again
  mutable std::map<int, bool> training_;                      // holds a loop that goes on from iteration to iteration
};

}  // namespace syncsniff::program
