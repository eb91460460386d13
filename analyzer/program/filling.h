// Recognises loops that give several arrays their initial content before training: each iteration works on its own
// arrays, or creates an object and adds it to a list, and a later loop continues from iteration to iteration. They run
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
  // `heat_in`: the heat with which each function is entered; it shows by which calls the program reaches a loop.
  Filling(const Linked& linked, const Loops& loops, const ElementShare& share, const std::vector<Heat>& heat_in);

  // What runs after the loop: nothing that trains, a loop that does, or code of unknown source that may run the
  // program's callbacks.
  enum class Later { kNothing, kTraining, kCallbacks };
  // kNothing also where the loop does not fill arrays.
  Later fills_before(int function, int region) const;

 private:
  bool repeats(int function, int region) const;
  bool is_training_loop(int function, int region) const;
  bool holds_training_loop(int function) const;
  Later runs_behind(Site site) const;
  bool may_run_callbacks(Site site) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Learning& learning_;
  const Loops& loops_;
  const ElementShare& share_;
  const std::vector<Heat>& heat_in_;
  const OutsideCallers& outside_;
  const Adding adding_;
  const bool has_callbacks_;  // code of unknown source gets functions that launch and that the program never calls
  mutable std::map<std::pair<int, int>, Later> fills_before_;  // cached: queried for every place in a loop
  mutable std::map<int, bool> training_;  // by function: it has a loop that continues from iteration to iteration
};

}  // namespace syncsniff::program
