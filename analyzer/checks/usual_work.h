// The GPU work that a call usually enqueues. Work under a condition, such as a cast if an argument has another type or
// a check that users can switch on, is left out; of two alternative branches, the one with fewer launches counts.
#pragma once

#include <map>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct UsualWork {
  int launches = 0;         // 2: two or more
  bool elementwise = true;  // each of these launches is elementwise
  bool reads_back = false;  // it copies something to the host and waits for the copy
};

class UsualWorks {
 public:
  explicit UsualWorks(const Program& program) : program_(program) {}
  UsualWork behind(Site call);

 private:
  const UsualWork& of_function(int function);
  UsualWork read_function(int function);
  bool reads_back(Site site) const;

  const Program& program_;
  std::map<int, UsualWork> functions_;
};

}  // namespace syncsniff::checks
