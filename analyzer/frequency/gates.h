// What the conditions and names around a place show about how often it runs.
#pragma once

#include <string>

#include "analyzer/frequency/rate.h"
#include "rules/words.h"

namespace syncsniff::frequency {

// Lowers or drops by the condition of a branch, or by the names in it if the condition itself shows nothing. `hot`: a
// loop that launches GPU work is around it. Gate::kOnce is only lowered here: whether its one iteration belongs to that
// loop is decided by the caller.
void pass_condition(Rate& rate, const facts::Region& region, bool hot, const Words& words);

// Lowers by a function's name.
void pass_function(Rate& rate, const facts::Function& function, const Words& words);

// The same for a function that only passes its arguments to a wait and so is reported at its callers: the purpose in
// its name counts (validate_result), printing does not.
void pass_wrapper(Rate& rate, const facts::Function& function, const Words& words);

// Lowers by the names in the head of the outermost loop that launches GPU work, and of the function that it stands in.
void pass_loop(Rate& rate, const facts::Region& loop, const facts::Function& function, const Words& words);

// Lowers by the names in the head of a loop that may launch one kernel for all of its elements: if they mean steps, an
// iteration may depend on the previous one.
void pass_element_loop(Rate& rate, const facts::Region& loop, const Words& words);

// Lowers by the name of what such a loop calls for each element: a pass through one part of a network may depend on the
// pass through the one before.
void pass_element_call(Rate& rate, const facts::Event& call, const Words& words);

// `train`, `training`, `fit` in the function's name.
bool trains_by_name(const facts::Function& function, const Words& words);

// What the head of a loop names: epochs, batches of a data set, the layers or parameters of a network.
bool goes_through(LoopKind kind, const facts::Region& loop, const Words& words);

}  // namespace syncsniff::frequency
