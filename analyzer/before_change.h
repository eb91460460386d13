// --diff and --staged: the program as it was before the change is judged as well, so that a change is told of what it
// causes wherever that shows: a constant that makes a rare branch a frequent one, a new override, one launch more.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/judge.h"
#include "analyzer/read_units.h"

namespace syncsniff {

// The units that read a changed file, as they were.
struct UnitsBefore {
  std::vector<size_t> which;  // of the units now
  std::vector<facts::UnitFacts> units;
};

// `texts`: of the files that have changed, those of before; new files are empty. `renamed`: what units were called
// before, by their present path. A unit that could not be read as it was, but can be read now, is not among the result:
// it counts as unchanged, and of its lines the changed ones alone are told.
UnitsBefore read_units_before(const SourceTexts& texts, const std::map<std::string, std::string>& renamed,
                              const std::vector<frontend::CompileCommand>& commands,
                              const std::vector<facts::UnitFacts>& units, const ReadOptions& reading,
                              const ApiTable& apis);

// Sets Finding::is_old. Where the program of before could not be judged, all findings count as old: then changed lines
// alone decide.
void mark_old(Judgement& judgement);

}  // namespace syncsniff
