// Decides which units form one program. A compile database does not say what is linked with what, so each main() is
// followed to the units that it reaches.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/facts/outline.h"

namespace syncsniff::program {

struct UnitGroup {
  std::vector<size_t> units;  // indices of the outlines
  bool left_over = false;     // no main() reaches them
  bool beside_cuda = false;   // left over, and some other unit of the project puts tensors on the GPU
  // If left over: the groups with a main() that share a header or a folder with it.
  std::vector<size_t> beside;
};

// For each unit with a main(): the unit and the units without one that it reaches. Then the units that no main()
// reaches.
std::vector<UnitGroup> group_units(const std::vector<facts::UnitOutline>& outlines);

// For each unit whether it is needed: all units of the groups that contain a unit `of_interest`, and of the groups in
// their `beside`.
std::vector<bool> units_needed(const std::vector<UnitGroup>& groups, const std::vector<bool>& of_interest);

bool is_of_interest(const UnitGroup& group, const std::vector<bool>& of_interest);

}  // namespace syncsniff::program
