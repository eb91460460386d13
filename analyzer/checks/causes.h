// What makes a place hot besides the lines on its path: what launches GPU work in its loop, and where the functions are
// named that calls through pointers and virtual functions on the path lead to. Lines of a change among them may make an
// old line stall.
#pragma once

#include <map>
#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

class Causes {
 public:
  explicit Causes(const program::Program& program) : program_(program) {}

  void add_to(Finding& finding, const program::Way& way, const Located& where) const;

 private:
  std::vector<FedBy> fed_by(int function, int loop) const;
  void add_names(int function, std::vector<Location>& to) const;

  const program::Program& program_;
  mutable std::map<std::pair<int, int>, std::vector<FedBy>> loops_;
};

}  // namespace syncsniff::checks
