// Lowers a Rate by what conditions and names around a place show about how often it runs.
#pragma once

#include <string>

#include "analyzer/frequency/rate.h"
#include "rules/words.h"

namespace syncsniff::frequency {

// Lowers or drops by the condition of a branch, or by the names in it if the condition itself shows nothing. `hot`: the
// branch is in a loop that launches GPU work. Gate::kOnce only lowers here; the caller decides whether its one
// iteration belongs to that loop.
void pass_condition(Rate& rate, const facts::Region& region, bool hot, const Words& words);

// Lowers by a function's name.
void pass_function(Rate& rate, const facts::Function& function, const Words& words);

// The same for a function that only passes its arguments to a wait and so is reported at its callers. Words for a
// purpose count (validate_result), words for printing do not.
void pass_wrapper(Rate& rate, const facts::Function& function, const Words& words);

// Lowers by the names in the head of the outermost loop that launches GPU work, and in the name of the loop's function.
void pass_loop(Rate& rate, const facts::Region& loop, const facts::Function& function, const Words& words);

// Lowers by the names in the head of a loop that could be one kernel launch for all elements: if they mean steps, an
// iteration may depend on the previous one.
void pass_element_loop(Rate& rate, const facts::Region& loop, const Words& words);

// Lowers by the name of the function that such a loop calls for each element: a pass through one part of a network may
// depend on the pass through the previous part.
void pass_element_call(Rate& rate, const facts::Event& call, const Words& words);

// Whether the function's name contains `train`, `training` or `fit`.
bool trains_by_name(const facts::Function& function, const Words& words);

// Whether the head of the loop names what `kind` says: epochs, batches of a data set, layers or parameters of a
// network.
bool goes_through(LoopKind kind, const facts::Region& loop, const Words& words);

}  // namespace syncsniff::frequency
