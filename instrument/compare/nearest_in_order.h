// Pairs two ascending lists of line numbers such that no two pairs cross.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace syncsniff::compare {

// Returns index pairs, ascending, as many as the shorter list has members, with the least sum of distances. If the
// product of the lists' sizes is above four million, the lists are paired from the start without regard to distances.
std::vector<std::pair<size_t, size_t>> nearest_in_order(const std::vector<int64_t>& from,
                                                        const std::vector<int64_t>& to);

}  // namespace syncsniff::compare
