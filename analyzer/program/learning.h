// Which functions and loops train: they contain a backward pass or an optimizer's step, directly or through calls.
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
  // Whether code in the region trains. Code that steps an optimizer does, whatever its name is.
  bool learns_around(int function, int region) const;

 private:
  bool learns_in(int function, int region) const;

  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> learns_;
  mutable std::map<std::pair<int, int>, bool> loops_;  // cached: queried for every place in a loop
};

}  // namespace syncsniff::program
