// Pairs two ascending lists of line numbers such that no two pairs cross.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace syncsniff::compare {

// As many pairs as the shorter list has members; of all such pairings the one with the least distance in all. Indices
// into the lists, ascending. Lists whose product is above four million are paired from the start, without distances.
std::vector<std::pair<size_t, size_t>> nearest_in_order(const std::vector<int64_t>& from,
                                                        const std::vector<int64_t>& to);

}  // namespace syncsniff::compare
