// At a commit nobody waits until 2,000 units have been read because a header that they all include has changed. What an
// earlier run knows of such a unit stands in for it: its own functions are as they were. The header's functions are
// taken from a few units that are read anew.
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

// What was done in a run.
struct KeptUnits {
  size_t units = 0;      // that stood in for themselves
  size_t functions = 0;  // of changed files, in none of the units that were read
  std::string file;      // a changed one, for the message
};

// Fewer units than this are all read.
inline constexpr size_t kFewUnits = 32;

// What is known of the other units as they are now: hashes of the USRs that they define, and how many of them include a
// changed file.
struct UnitsRead {
  std::unordered_set<uint64_t> functions;
  size_t with_changed_file = 0;
};

// Which of the units to read, by their place in `stale`: each function of a changed file is in one of them, unless that
// takes more than 16 units; a header of types and macros alone is read with four. Functions that are left over are
// counted in `functions_left`.
std::vector<size_t> units_to_read(const std::vector<facts::StaleUnit>& stale, const UnitsRead& read,
                                  size_t& functions_left);

// The unit without what stands in its changed files.
facts::UnitFacts without_changed_files(facts::StaleUnit stale);

}  // namespace syncsniff
