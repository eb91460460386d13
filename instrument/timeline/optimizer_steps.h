// How often a framework's optimizer stepped in the whole run, from the counts of its launches. Needs no window, so it
// knows steps that are longer than any.
#pragma once

#include <cstdint>
#include <optional>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_steps.h"

namespace syncsniff::timeline {

// nullopt: no optimizer launched on the device, or fewer than kMinSteps times. An optimizer that launches the same
// kernel for each parameter counts as many times as it has parameters.
std::optional<LaunchSteps> count_optimizer_steps(const reader::Trace& trace, const reader::Places& places,
                                                 uint32_t device);

}  // namespace syncsniff::timeline
