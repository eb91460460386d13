// Chains of elementwise kernels in one function: one kernel writes an array at its own thread index, and the next one
// reads it there.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/checks/kernel_links.h"

namespace syncsniff::checks {

struct KernelChain {
  struct Step {
    int event;  // a launch, or a call that launches
    KernelLink link;
  };
  int region = 0;
  std::vector<Step> steps;  // in source order
  std::vector<int> events() const;
};

// The chains of a function, of two kernels or more.
std::vector<KernelChain> kernel_chains(const Program& program, int function, KernelLinks& links);

}  // namespace syncsniff::checks
