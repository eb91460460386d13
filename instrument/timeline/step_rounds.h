// Steps that come in rounds: reinforcement learning plays for seconds, then steps its optimizer some times. The steps
// alone would leave out most of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

struct StepRounds {
  std::vector<uint64_t> begins;  // of each round's first step; the last one ends the round before it
  size_t each = 0;               // steps of a round; median
};

// `begins`: of all steps, ascending. `steps`: what keep_regular made of them.
// nullopt: regular steps are half of the time or more, or what parts them does not come regularly.
std::optional<StepRounds> find_rounds(const std::vector<uint64_t>& begins, const Steps& steps);

}  // namespace syncsniff::timeline
