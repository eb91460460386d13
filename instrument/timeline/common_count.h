// Finds the number that most of several counts share: things that occur once a step have the same count.
#pragma once

#include <cstdint>
#include <vector>

namespace syncsniff::timeline {

// Returns the most common count; of equally frequent ones the greatest; 0 if there are no counts. `agreed`: the share
// of the counts that same_count() considers equal to it.
uint64_t most_common(const std::vector<uint64_t>& counts, double& agreed);

}  // namespace syncsniff::timeline
