// What a function's or a loop's name says of how often, and in earnest, it runs: benchmarks, validation, saving.
#pragma once

#include <string>

#include "analyzer/program/program.h"

namespace syncsniff::program {

// Lowers or drops the heat of everything inside a function of this name.
void pass_name(Heat& heat, const std::string& name);

// The same for a function that only hands its arguments to a wait, and so is told at its call: what it is for counts
// (validate_result), not what it prints.
void pass_wrapper_name(Heat& heat, const std::string& name);

// `train`, `training`, `fit` in a function's name.
bool trains_by_name(const std::string& name);

// What the head of a loop names: epochs, batches of a data set, the layers or parameters of a network.
bool counts_epochs(const Region& loop);
bool goes_through_batches(const Region& loop);
bool goes_through_layers(const Region& loop);

// epochs.cpp: what LibTorch learns by.
bool is_optimizer_step(const Event& event);
bool is_backward(const Event& event);

// epochs.cpp: goes through batches, or so often that a wait around it is rare.
bool looks_like_steps(const Region& loop);

}  // namespace syncsniff::program
