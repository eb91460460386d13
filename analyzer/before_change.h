// --diff and --staged: the program before the change is judged as well, so that all findings that the change causes are
// reported, wherever they are: after a changed constant that makes a rare branch frequent, a new override, one launch
// more.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/judge.h"
#include "analyzer/read_units.h"

namespace syncsniff {

// The units that read a changed file, as they were before the change.
struct UnitsBefore {
  std::vector<size_t> which;  // their indices among the present units
  std::vector<facts::UnitFacts> units;
};

// `texts`: the texts of the changed files before the change; new files are empty. `renamed`: former paths of units, by
// their present path. A unit that can be read now, but could not be read as it was, is left out of the result: it
// counts as unchanged, and findings are reported only on its changed lines.
UnitsBefore read_units_before(const SourceTexts& texts, const std::map<std::string, std::string>& renamed,
                              const std::vector<frontend::CompileCommand>& commands,
                              const std::vector<facts::UnitFacts>& units, const ReadOptions& reading,
                              const ApiTable& apis);

// Sets Finding::is_old. If the program before the change could not be judged, all findings count as old, so that only
// changed lines decide.
void mark_old(Judgement& judgement);

}  // namespace syncsniff
