// What is asked of a unit before its facts are: which units make one program with it, and what a report says of a unit
// that has no finding. Some 2 % of the bytes of the facts, and kept apart from them in the cache, so that a run that
// reports on one file of a large repository reads the facts of the programs with that file alone.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

struct UnitOutline {
  UnitFacts rest;  // all of the unit but its code
  bool has_main = false;
  // Hashes of USRs (Text::hash()), each once, in rising order.
  std::vector<uint64_t> defines;    // every function that the unit has facts of
  std::vector<uint64_t> own;        // of these those that its own file defines and other units can call
  std::vector<uint64_t> mentions;   // what it calls, or takes the address of; keys of what it looks up (keys.h)
  std::vector<uint64_t> overrides;  // what its methods override; keys under which it keeps functions
};

UnitOutline outline_of(const UnitFacts& unit);

// The unit without its functions, flows and turns, and without what it calls of others.
UnitFacts without_code(const UnitFacts& unit);

}  // namespace syncsniff::facts
