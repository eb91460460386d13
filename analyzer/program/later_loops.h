// Whether a loop that launches GPU work comes after a call: what runs before such a loop is set-up, what runs after it
// or without it is not.
#pragma once

#include <set>
#include <vector>

#include "analyzer/program/loops.h"

namespace syncsniff::program {

class LaterLoops {
 public:
  LaterLoops(const Linked& linked, const Loops& loops);

  // Whether such a loop begins after the recursion that the function is part of, in a function that leads to it.
  bool begin_after_recursion(int function) const;

 private:
  bool begin_after(Site call, std::set<int>& seen) const;

  const Linked& linked_;
  const Loops& loops_;
  const std::vector<bool> leads_to_loop_;  // by function: it has such a loop, or calls a function that has one
};

}  // namespace syncsniff::program
