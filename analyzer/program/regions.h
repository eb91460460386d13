// What encloses a region of a function or an event: loops, and conditions that are rarely or never true.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// The region itself if it is a loop; -1: it is in no loop.
int innermost_loop(const facts::Function& function, int region);
int outermost_loop(const facts::Function& function, int region);

// The region; or, if it is only a block of braces, the region around it, since such a block runs whenever the code
// around it does. Macros such as CHECK(call) often expand to such a block. A block in a switch stays, since it is one
// of several alternatives.
int without_braces(const facts::Function& function, int region);

// Whether the region runs only on errors or never.
bool is_off(const facts::Function& function, int region);

// The same, or whether it runs only once.
bool is_off_or_once(const facts::Function& function, int region);

// Whether the loop's induction variable, or what it picks, is an argument of the call or the object it is made on.
bool passes_index(const facts::Event& call, int loop);

// Whether the loop's induction variable picks a pointer or tensor that the call gets.
bool varies_with(const facts::Event& call, int loop);

// Whether a goto may jump to a label between the two events, of which `first` comes first.
bool is_label_between(const facts::Function& function, int first, int second);

}  // namespace syncsniff::program
