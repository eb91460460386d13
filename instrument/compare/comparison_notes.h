// Notes about a comparison that the reader must know before trusting it.
#pragma once

#include <string>
#include <vector>

#include "instrument/compare/comparison.h"

namespace syncsniff::compare {

// True if both recordings have lines of one source file (or, without lines, of one object file). If one of them has no
// lines at all, the programs' names decide.
bool is_same_program(const RunFigures& a, const RunFigures& b);

// Returns the notes, one line each. All members of `change` but `notes` must be filled in.
std::vector<std::string> notes_of(const Comparison& change);

std::string command_text(const RunFigures& run);

}  // namespace syncsniff::compare
