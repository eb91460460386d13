// Functions that only pass their arguments to one blocking call. Findings in them are reported at their callers.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

class Wrappers {
 public:
  Wrappers(const Code& code, const CallGraph& graph, const EffectTable& effects);

  // Whether the function only passes its arguments on and the program calls it; findings in it are placed at these
  // calls.
  bool is_wrapper(int function) const { return wrapper_[function]; }
  // The same, but the function may have no callers.
  bool looks_like_wrapper(int function) const;
  // Whether it is a library's function that waits. Users cannot change it, so findings are reported at its callers,
  // whatever else it does.
  bool waits_in_library(int function) const;

 private:
  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  std::vector<bool> wrapper_;
};

}  // namespace syncsniff::program
