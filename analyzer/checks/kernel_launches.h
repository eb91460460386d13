// For rules about the code inside kernels: how hot a kernel's launches are, and with which block sizes it is launched.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

class KernelLaunches {
 public:
  explicit KernelLaunches(const Program& program);
  // The heat of the hottest launch; medium where no launch is known or none is hot.
  Heat heat(const std::string& kernel) const;
  // Every known launch of the kernel uses blocks of at most `threads`.
  bool only_blocks_of(const std::string& kernel, long long threads) const;

 private:
  const Program& program_;
  std::map<std::string, std::vector<Site>> launches_;
};

}  // namespace syncsniff::checks
