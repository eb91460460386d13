// What `check` tells its user beside the findings: what it could not read, and what the configuration leaves out.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/file_filter.h"
#include "analyzer/kept_units.h"
#include "analyzer/plan.h"

namespace syncsniff {

// A line each. `cache_folder`: empty without a cache; it is asked whether it can be written.
std::vector<std::string> notes_on(const Plan& plan, const std::vector<facts::UnitFacts>& units,
                                  const FileFilter& filter, const std::string& cache_folder);

// One line, where units were not read again at a commit.
std::vector<std::string> note_on_kept_units(const KeptUnits& kept_units, size_t units);

// Of findings in files that the configuration leaves out, and in other people's code: a line each, where there are
// some.
std::vector<std::string> note_on_left_out(size_t by_configuration, size_t foreign);

}  // namespace syncsniff
