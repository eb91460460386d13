// Is the period that was found a part of a longer one: micro-batches of a step that accumulates gradients, layers of a
// model? Or does the longer one only log? Used by launch_period.cpp alone.
#pragma once

#include "instrument/timeline/period_segments.h"

namespace syncsniff::timeline {

// Sets period.each (segments that make a step), doubt and other_every.
void judge_longer_period(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols,
                         LaunchPeriod& period);

}  // namespace syncsniff::timeline
