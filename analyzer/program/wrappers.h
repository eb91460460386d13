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
  // The region of the function in which it makes its blocking call. If it waits on either of two branches, that is the
  // region around both: if (whole) cudaDeviceSynchronize(); else cudaStreamSynchronize(stream);
  int region_of(Site blocking) const;
  // The wait on the other branch of such a function; event -1: none, or the wait is the other one itself.
  Site other_way_of(Site wait) const;
  // Whether the wait is on the second branch of such a function: the first stands for both.
  bool is_other_way(Site wait) const;
  // Whether it is a library's function that waits. Users cannot change it, so findings are reported at its callers,
  // whatever else it does.
  bool waits_in_library(int function) const;

 private:
  struct Ways {
    int first = -1, second = -1;  // events
    int around = -1;              // the region that holds both branches
  };
  // The waits of a function that waits on either of two branches.
  Ways either_way(int function) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  std::vector<bool> wrapper_;
  std::vector<Ways> ways_;  // of wrappers
};

}  // namespace syncsniff::program
