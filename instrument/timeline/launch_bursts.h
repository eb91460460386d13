// Steps as bursts of launches: where all launches are of one kind, only the host's pauses between them show where a
// step ends. Pure: knows nothing of traces.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "instrument/timeline/launch_period.h"

namespace syncsniff::timeline {

struct LaunchBursts {
  size_t launches = 0;  // of one burst; the number that most of them have
  size_t bursts = 0;    // whole ones
  double alike = 0;     // 0..1: the share of the bursts that have this number
};

// `windows`: nothing is known of what lies between two of them. nullopt: no pauses, or bursts of all sizes.
std::optional<LaunchBursts> find_launch_bursts(const std::vector<EnqueueWindow>& windows);

}  // namespace syncsniff::timeline
