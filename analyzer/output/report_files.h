// Writes the reports of a run, each to its file or to standard output.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"
#include "analyzer/output/summary.h"

namespace syncsniff::output {

// Returns false if a report could not be written to its file; the others are written. Throws std::runtime_error if
// writing to standard output fails.
bool write_reports(const Options& options, const Outcome& outcome, const Baseline& baseline, SourceCache& sources,
                   std::ostream& out, std::ostream& err);

// Whether a report goes to standard output.
bool reports_on_standard_output(const Options& options);

}  // namespace syncsniff::output
