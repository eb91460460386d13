// Calls that create or destroy driver resources (memory, streams, events, library handles): which calls these are,
// which functions only wrap one of them, and which calls concern the same resource.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the call creates or destroys a resource. Calls that allocate from a pool, and containers with the program's
// own allocator, do not count.
bool makes(const Event& event, const ApiFact& fact);
bool ends(const Event& event, const ApiFact& fact);

// A constructor of thrust's containers.
bool is_container_constructor(const Event& event);

// Functions that do little more than create or destroy one resource, and all constructors and destructors. Findings are
// reported where such a function is called, since that is where a person can fix them.
class AllocationWrappers {
 public:
  explicit AllocationWrappers(const Program& program);
  bool operator()(int function) const { return wrapper_[function]; }

 private:
  bool looks_like_one(int function) const;
  bool looks_like_helper(int function) const;
  const Program& program_;
  std::vector<bool> wrapper_;
};

// Variables and fields of which one holds the resource that the call creates or destroys.
std::set<std::string> kept_in(const Program& program, Site site);

// Variables that hold events whose elapsed time is read anywhere in the program.
std::set<std::string> timed_events(const Program& program);

}  // namespace syncsniff::checks
