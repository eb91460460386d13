// Functions that only hand their arguments to one blocking call: their callers are the place to report.
#pragma once

#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

class Wrappers {
 public:
  Wrappers(const Code& code, const CallGraph& graph, const EffectTable& effects);

  // Somebody calls it.
  bool is_wrapper(int function) const { return wrapper_[function]; }
  bool looks_like_wrapper(int function) const;

 private:
  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  std::vector<bool> wrapper_;
};

}  // namespace syncsniff::program
