// Where the kernels of a program are launched, and how: for rules that speak of the code inside a kernel.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

class KernelLaunches {
 public:
  explicit KernelLaunches(const Program& program);
  // The hottest launch's; medium where none is in sight or none is hot.
  Heat heat(const std::string& kernel) const;
  // Every launch in sight is on blocks of at most `threads`.
  bool only_blocks_of(const std::string& kernel, long long threads) const;

 private:
  const Program& program_;
  std::map<std::string, std::vector<Site>> launches_;
};

}  // namespace syncsniff::checks
