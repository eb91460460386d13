// Which units make one program. A database does not say what is linked with what; a main() and what it reaches do.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/facts/outline.h"

namespace syncsniff::program {

struct UnitGroup {
  std::vector<size_t> units;  // indices of the outlines
  bool left_over = false;     // no main() reaches them
  bool beside_cuda = false;   // left over, and some unit of the project puts tensors on the GPU
  // Of what is left over: the groups with a main() that have a header or a folder in common with it.
  std::vector<size_t> beside;
};

// Each unit with a main() and the units without one that it reaches; then what no main() reaches.
std::vector<UnitGroup> group_units(const std::vector<facts::UnitOutline>& outlines);

// The units of the groups with a unit `of_interest`, and of those that they are beside.
std::vector<bool> units_needed(const std::vector<UnitGroup>& groups, const std::vector<bool>& of_interest);

bool is_of_interest(const UnitGroup& group, const std::vector<bool>& of_interest);

}  // namespace syncsniff::program
