// Which line of one version of a program corresponds to which line of the next. Edits move lines, so line numbers alone
// do not decide. Works on plain data and does not know traces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instrument/reader/places.h"

namespace syncsniff::compare {

// One side of a match: a call at a line, or what the host did there.
struct LineId {
  reader::Place place;      // the user's line
  reader::Place inner;      // the library's line beneath it; empty: none
  reader::Place before;     // for code between two calls: the line of the first call; empty: none
  std::string what;         // "cuStreamSynchronize", "launching"; lines match only if these are equal
  std::string fingerprint;  // identity of the finding at the line; it contains no line number. Empty: none
};

inline constexpr size_t kNoLine = static_cast<size_t>(-1);

// Indices into the two lists. b = kNoLine: the line is gone; a = kNoLine: it is new.
struct LinePair {
  size_t a = kNoLine, b = kNoLine;
};

// Returns each line of both lists in exactly one pair. Lines with the same finding match first. Other lines match if
// their file (by the end of its path), function and `what` are equal; several such lines keep their order and match the
// nearest, after adding the shift of nearby lines that are unique on both sides. Remaining lines match across functions
// that only one version has, since such a function may have been renamed.
std::vector<LinePair> match_lines(const std::vector<LineId>& a, const std::vector<LineId>& b);

}  // namespace syncsniff::compare
