// Finds the training steps of a run: from NVTX ranges, from the period of the launches in windows, or from the line
// whose calls come most regularly. Reports how they were found and how sure that is; finds none rather than guess.
#pragma once

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/line_steps.h"
#include "instrument/timeline/regular_steps.h"
#include "instrument/timeline/step_choice.h"

namespace syncsniff::timeline {

// Throws StepChoiceError if `choice` is made but matches nothing.
Steps find_steps(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice = {});

}  // namespace syncsniff::timeline
