// Steps that come in rounds: a reinforcement learner plays for seconds, then its optimizer steps several times. The
// optimizer's steps alone would leave out most of the run.
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

// `begins`: of all steps, ascending. `steps`: the result of keep_regular.
// nullopt: regular steps take half of the time or more, or the pauses between rounds are not regular.
std::optional<StepRounds> find_rounds(const std::vector<uint64_t>& begins, const Steps& steps);

}  // namespace syncsniff::timeline
