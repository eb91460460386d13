// --diff and --staged: the program as it was before the change is judged as well, so that a change is told of what it
// causes wherever that shows: a constant that makes a rare branch a frequent one, a new override, one launch more.
#pragma once

#include <vector>

#include "analyzer/judge.h"
#include "analyzer/read_units.h"

namespace syncsniff {

// The units that read a changed file, as they were.
struct UnitsBefore {
  std::vector<size_t> which;  // of the units now
  std::vector<facts::UnitFacts> units;
  bool readable = true;  // false: one had no code before, and has some now
};

// `texts`: of the files that have changed, those of before; new files are empty.
UnitsBefore read_units_before(const SourceTexts& texts, const std::vector<frontend::CompileCommand>& commands,
                              const std::vector<facts::UnitFacts>& units, const ReadOptions& reading,
                              const ApiTable& apis);

// Sets Finding::is_old. Where the program of before could not be read or judged, all findings count as old: then
// changed lines alone decide.
void mark_old(Judgement& judgement);

}  // namespace syncsniff
