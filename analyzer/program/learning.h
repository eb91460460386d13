// Which functions and loops train: they hold a backward pass or an optimizer's step, directly or through calls.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/program/call_graph.h"

namespace syncsniff::program {

bool is_optimizer_step(const Event& event);
bool is_backward(const Event& event);

class Learning {
 public:
  Learning(const Code& code, const CallGraph& graph);

  bool learns(int function) const { return learns_[function]; }
  // Something in the region learns. Code that steps an optimizer trains, whatever it is called.
  bool learns_around(int function, int region) const;

 private:
  bool learns_in(int function, int region) const;

  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> learns_;
  mutable std::map<std::pair<int, int>, bool> loops_;  // every place in a loop asks for it again
};

}  // namespace syncsniff::program
