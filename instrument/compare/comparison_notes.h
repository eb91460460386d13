// What a reader of a comparison must know before believing it.
#pragma once

#include <string>
#include <vector>

#include "instrument/compare/comparison.h"

namespace syncsniff::compare {

// Is there a source file that both have lines of (or, without lines, one object)? Where one side has no lines at all,
// the programs' names tell.
bool is_same_program(const RunFigures& a, const RunFigures& b);

// One line each. Everything but `notes` must be filled in.
std::vector<std::string> notes_of(const Comparison& change);

std::string command_text(const RunFigures& run);

}  // namespace syncsniff::compare
