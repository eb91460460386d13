// Recognises allocations that fill a cache: memory, streams and handles that are created only when missing, and then
// kept. Once a loop has warmed up, it no longer executes them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the call runs only on a cache miss: it comes after a branch that returns the cached object, or is in a branch
// that runs only when the free list is empty.
bool only_on_a_miss(const Program& program, const Located& where);

// Recognises calls that create or replace an object only where the requested one was missing, and calls through an
// interface of which one implementation caches what it gets from another.
class Caches {
 public:
  explicit Caches(const Program& program) : program_(program) {}
  bool lead_to(const Located& where);

 private:
  bool give_instead(Site site, int target);
  bool keeps_what_it_gets(int function, int target);
  bool asks_on_a_miss(int function, int target, bool missed, int depth);
  const std::vector<int>& methods_of_class(int function);

  const Program& program_;
  std::set<std::pair<int, bool>> seen_;
  std::map<std::string, std::vector<int>> methods_;  // by the name of their class
};

// Whether a call on the path to the place comes after a branch that returns a cached object and before the allocation,
// so that it frees memory only on a cache miss: if (!idle.empty()) return idle.back(); if (held > limit) trim();
// cudaMalloc(...).
bool evicts_on_a_miss(const Program& program, const Located& where);

}  // namespace syncsniff::checks
