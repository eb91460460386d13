// How often a framework's optimizer stepped in the whole run, from the counts of its launches. Needs no window, so it
// knows steps that are longer than any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_steps.h"

namespace syncsniff::timeline {

// nullopt: no optimizer launched on the device, or fewer than kMinSteps times. An optimizer that launches the same
// kernel for each parameter counts as many times as it has parameters.
std::optional<LaunchSteps> count_optimizer_steps(const reader::Trace& trace, const reader::Places& places,
                                                 uint32_t device);

// A second optimizer that steps once for several of these steps, as the generator of a GAN does, or several times for
// one, from a line of its own: either may be what the program calls a step. An optimizer that evaluates a closure
// several times a step, as LBFGS does, leaves the same doubt. A sentence that says so; empty where there is none.
std::string other_optimizer(const reader::Trace& trace, const reader::Places& places, const LaunchSteps& steps);

}  // namespace syncsniff::timeline
