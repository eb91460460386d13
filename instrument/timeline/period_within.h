// Decides whether the period found is part of a longer one: micro-batches of a step that accumulates gradients, or
// layers of a model. A longer period may also be only that of logging. Used only by launch_period.cpp.
#pragma once

#include "instrument/timeline/period_segments.h"

namespace syncsniff::timeline {

// Sets period.each (segments that make a step), doubt and other_every.
void judge_longer_period(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols,
                         LaunchPeriod& period);

}  // namespace syncsniff::timeline
