// Allocations of caches: memory, streams and handles that are made where they were missing, and kept. Once a loop has
// warmed up it does not come to them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// The call fills a cache: it comes after a branch that returns the cached object, or runs only when the free list is
// empty, or in a state that it leaves. Once the loop has warmed up it is not reached.
bool only_on_a_miss(const Program& program, const Located& where);

// Calls that make or replace what was asked for and missing; or that are behind an interface of which one
// implementation keeps what it gets from the others.
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

// if (!idle.empty()) return idle.back(); if (held > limit) trim(); cudaMalloc(...): `trim` frees where the cache has
// nothing to give.
bool evicts_on_a_miss(const Program& program, const Located& where);

}  // namespace syncsniff::checks
