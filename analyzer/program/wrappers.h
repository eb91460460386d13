// Functions that only hand their arguments to one blocking call: their callers are the place to report.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

class Wrappers {
 public:
  Wrappers(const Code& code, const CallGraph& graph, const EffectTable& effects);

  // It only hands its arguments on, and the program calls it: findings in it are placed at those calls.
  bool is_wrapper(int function) const { return wrapper_[function]; }
  // It only hands its arguments on; perhaps nobody calls it.
  bool looks_like_wrapper(int function) const;
  // A library's function is nobody's to mend: its callers are the place to report, whatever else it does.
  bool waits_in_library(int function) const;

 private:
  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  std::vector<bool> wrapper_;
};

}  // namespace syncsniff::program
