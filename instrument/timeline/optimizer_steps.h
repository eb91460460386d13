// Counts how often a framework's optimizer stepped in the whole run, from its launches. Needs no window, so it also
// finds steps that are longer than any window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_steps.h"

namespace syncsniff::timeline {

// nullopt: no optimizer launched on the device, or only fewer than kMinSteps times. An optimizer that launches the same
// kernel for each parameter is counted as many times as it has parameters.
std::optional<LaunchSteps> count_optimizer_steps(const reader::Trace& trace, const reader::Places& places,
                                                 uint32_t device);

// Returns a sentence about another possible reading of the steps, or an empty string. A second optimizer, on another
// line, may step once for several of these steps, as the generator of a GAN does, or several times for one: either may
// be what the program calls a step. An optimizer that evaluates a closure several times a step, as LBFGS does, causes
// the same doubt.
std::string other_optimizer(const reader::Trace& trace, const reader::Places& places, const LaunchSteps& steps);

}  // namespace syncsniff::timeline
