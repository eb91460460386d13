// Saves reading 2,000 units at a commit because a header that they all include has changed, since the user waits. Facts
// of such a unit from an earlier run are used instead: its own functions have not changed. The header's functions are
// taken from a few units that are read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analyzer/facts/cache.h"
#include "analyzer/facts/facts.h"

namespace syncsniff {

// What was saved in a run, for a message.
struct KeptUnits {
  size_t units = 0;      // units whose earlier facts were used
  size_t functions = 0;  // functions of changed files that are in none of the units that were read
  std::string file;      // one of the changed files
};

// If fewer units than this are affected, all are read.
inline constexpr size_t kFewUnits = 32;

// The other units, whose facts are up to date: hashes of the USRs that they define, and how many of them include a
// changed file.
struct UnitsRead {
  std::unordered_set<uint64_t> functions;
  size_t with_changed_file = 0;
};

// Which of the units to read, as indices into `stale`: chosen so that each function of a changed file is in one of
// them, up to 16 units; for a header of types and macros only, four are read. Functions that remain are counted in
// `functions_left`.
std::vector<size_t> units_to_read(const std::vector<facts::StaleUnit>& stale, const UnitsRead& read,
                                  size_t& functions_left);

// The unit without the facts from its changed files.
facts::UnitFacts without_changed_files(facts::StaleUnit stale);

}  // namespace syncsniff
