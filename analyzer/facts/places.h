// Relations between places in a source.
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// `part` is inside `whole` or equal to it.
inline bool lies_in(const Place& part, const Place& whole) {
  return part.file == whole.file && part.offset >= whole.offset &&
         part.offset + part.length <= whole.offset + whole.length;
}

// `inner` is inside `outer` and smaller.
inline bool is_within(const Place& inner, const Place& outer) {
  return inner.length < outer.length && lies_in(inner, outer);
}

}  // namespace syncsniff::facts
