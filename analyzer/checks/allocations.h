// Calls that make or end something the driver keeps: memory, streams, events, library handles. Which functions only
// wrap one such call, and which calls speak of the same buffer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Not from a pool, and not of a container with an allocator of the program's own.
bool makes(const Event& event, const ApiFact& fact);
bool ends(const Event& event, const ApiFact& fact);

// A constructor of thrust's containers.
bool is_container_constructor(const Event& event);

// Functions that do little but make or end one thing; constructors and destructors, however many. Where such a function
// is called is where a person can mend it.
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

// The variables and fields that the call may speak of: what it makes or ends is kept in one of them.
std::set<std::string> kept_in(const Program& program, Site site);

// A cache: the call stands behind a branch that returns what it has already, or in one that finds the list of free ones
// empty, or in the alternative of a state that it leaves. In a loop that has run for a while it is not reached.
bool only_on_a_miss(const Program& program, const Located& where);

// Those whose events are asked for the time between them, anywhere in the program.
std::set<std::string> timed_events(const Program& program);

}  // namespace syncsniff::checks
