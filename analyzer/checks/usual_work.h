// What a call usually puts on the GPU. What its functions do only under a condition, such as a cast of an argument of
// another type or a check that somebody switches on, is left out; of two alternatives one runs.
#pragma once

#include <map>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct UsualWork {
  int launches = 0;         // 2: two or more
  bool elementwise = true;  // each of these launches
  bool reads_back = false;  // it brings something to the host and waits for that
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
