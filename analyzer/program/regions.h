// What stands around a region of a function: loops, and conditions that seldom or never hold.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// The loop itself where the region is one; -1 outside of all loops.
int innermost_loop(const facts::Function& function, int region);
int outermost_loop(const facts::Function& function, int region);

// The region, or what stands around it where it is a block of braces alone, which runs whenever the code around it
// does: CHECK(call) is often a macro of such a block. A block in a switch is one of many and stays.
int without_braces(const facts::Function& function, int region);

// Only errors, or nothing at all, lead there.
bool is_off(const facts::Function& function, int region);

// The same, or it runs once.
bool is_off_or_once(const facts::Function& function, int region);

// A goto may lead to between the two events, of which `first` comes first.
bool is_label_between(const facts::Function& function, int first, int second);

}  // namespace syncsniff::program
