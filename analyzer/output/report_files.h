// Writes the reports of a run, each to its file or to standard output.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"
#include "analyzer/output/summary.h"

namespace syncsniff::output {

// False when a report is not where it was asked for. The others are. Errors: std::runtime_error when standard output
// takes no more.
bool write_reports(const Options& options, const Outcome& outcome, const Baseline& baseline, SourceCache& sources,
                   std::ostream& out, std::ostream& err);

// True when a report goes to standard output.
bool reports_on_standard_output(const Options& options);

}  // namespace syncsniff::output
