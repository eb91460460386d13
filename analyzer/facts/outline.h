// What has to be known of a unit before its facts are read: which units make one program with it, and what a report
// says of a unit without findings. Some 2 % of the bytes of the facts, and stored separately in the cache, so that a
// run that reports on one file of a large repository reads only the facts of the programs that contain that file.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

struct UnitOutline {
  UnitFacts rest;  // all of the unit but its code
  bool has_main = false;
  // Hashes of USRs (Text::hash()), each once, in rising order.
  std::vector<uint64_t> defines;    // every function for which the unit has facts
  std::vector<uint64_t> own;        // those of `defines` that its own file defines and other units can call
  std::vector<uint64_t> mentions;   // functions that it calls or takes the address of; keys that it looks up (keys.h)
  std::vector<uint64_t> overrides;  // methods that its methods override; keys under which it stores functions
};

UnitOutline outline_of(const UnitFacts& unit);

// The unit without its functions, flows and turns, and without its `undefined` functions.
UnitFacts without_code(const UnitFacts& unit);

}  // namespace syncsniff::facts
