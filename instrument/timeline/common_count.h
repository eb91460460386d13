// The number that most of some counts share: what comes once a step comes as often as the others that do. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace syncsniff::timeline {

// The count that most of them have; of equally frequent ones the greatest; 0 of none. `agreed`: the share of them that
// same_count() takes for it.
uint64_t most_common(const std::vector<uint64_t>& counts, double& agreed);

}  // namespace syncsniff::timeline
