// What `check` tells its user besides the findings: what it could not read, and what the configuration leaves out.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/file_filter.h"
#include "analyzer/kept_units.h"
#include "analyzer/plan.h"

namespace syncsniff {

// One line each. `cache_folder`: the note is about whether it can be written; empty without a cache.
std::vector<std::string> notes_on(const Plan& plan, const std::vector<facts::UnitFacts>& units,
                                  const FileFilter& filter, const std::string& cache_folder);

// One line, if earlier facts of units were used at a commit.
std::vector<std::string> note_on_kept_units(const KeptUnits& kept_units, size_t units);

// One line each for findings in files that the configuration leaves out, and for findings in foreign code, if there are
// any.
std::vector<std::string> note_on_left_out(size_t by_configuration, size_t foreign);

}  // namespace syncsniff
