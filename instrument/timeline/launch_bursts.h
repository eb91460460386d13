// Finds steps as bursts of launches: if all launches are of one kind, only the host's pauses between them show where a
// step ends. Works on plain data and does not know traces.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "instrument/timeline/launch_period.h"

namespace syncsniff::timeline {

struct LaunchBursts {
  size_t launches = 0;  // per burst: the number that most bursts have
  size_t bursts = 0;    // complete ones
  double alike = 0;     // 0..1: the share of the bursts that have this number
};

// nullopt: there are no pauses, or bursts have all sizes. What happened between two windows is not known.
std::optional<LaunchBursts> find_launch_bursts(const std::vector<EnqueueWindow>& windows);

}  // namespace syncsniff::timeline
