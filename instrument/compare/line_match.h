// Which line of one version of a program corresponds to which line of the next: edits move lines, so line numbers alone
// do not decide. Pure: knows nothing of traces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instrument/reader/places.h"

namespace syncsniff::compare {

// What is matched: a call at a line, or what the host did there.
struct LineId {
  reader::Place place;      // the user's line
  reader::Place inner;      // the library's line beneath it; empty: none
  reader::Place before;     // of code between two calls: the line of the first; empty: none
  std::string what;         // "cuStreamSynchronize", "launching": only equal ones match
  std::string fingerprint;  // identity of the finding at the line; it contains no line number. Empty: none
};

inline constexpr size_t kNoLine = static_cast<size_t>(-1);

// Indices into the two lists; kNoLine: gone in b, or new in it.
struct LinePair {
  size_t a = kNoLine, b = kNoLine;
};

// Every line of both lists is in exactly one pair. Lines with the same finding match first. Other lines match within
// one file (by the end of its path), function and `what`; several of them in the order of their numbers, nearest first,
// after the shift of lines that are unique on both sides. Remaining lines match across functions that only one side
// has: the function was renamed.
std::vector<LinePair> match_lines(const std::vector<LineId>& a, const std::vector<LineId>& b);

}  // namespace syncsniff::compare
