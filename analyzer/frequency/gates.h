// What the conditions and the names around a place say of how often it runs.
#pragma once

#include <string>

#include "analyzer/frequency/rate.h"
#include "rules/words.h"

namespace syncsniff::frequency {

// Lowers or drops by the condition of a branch; by the names in it where the condition itself does not tell.
// `hot`: a loop that feeds the GPU stands around it. Gate::kOnce is lowered alone: whether the one iteration is one of
// the loop that feeds the GPU the caller knows.
void pass_condition(Rate& rate, const facts::Region& region, bool hot, const Words& words);

// Lowers by a function's name.
void pass_function(Rate& rate, const facts::Function& function, const Words& words);

// The same for a function that only hands its arguments to a wait, and so is told at its call: what it is for counts
// (validate_result), not what it prints.
void pass_wrapper(Rate& rate, const facts::Function& function, const Words& words);

// Lowers by the names in the head of the outermost loop that feeds the GPU, and of the function that it stands in.
void pass_loop(Rate& rate, const facts::Region& loop, const facts::Function& function, const Words& words);

// Lowers by the names in the head of a loop that may launch one kernel for all of its elements: where they speak of
// steps, an iteration may follow from the last.
void pass_element_loop(Rate& rate, const facts::Region& loop, const Words& words);

// `train`, `training`, `fit` in the function's name.
bool trains_by_name(const facts::Function& function, const Words& words);

// What the head of a loop names: epochs, batches of a data set, the layers or parameters of a network.
bool goes_through(LoopKind kind, const facts::Region& loop, const Words& words);

}  // namespace syncsniff::frequency
