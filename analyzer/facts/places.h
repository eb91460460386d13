// How places in a source relate.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// A part of the other, or all of it.
inline bool lies_in(const Place& part, const Place& whole) {
  return part.file == whole.file && part.offset >= whole.offset &&
         part.offset + part.length <= whole.offset + whole.length;
}

// A part of the other, and not all of it.
inline bool is_within(const Place& inner, const Place& outer) {
  return inner.length < outer.length && lies_in(inner, outer);
}

}  // namespace syncsniff::facts
