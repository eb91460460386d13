// `syncsniff check`: analysis in, report and exit code out.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"

namespace syncsniff::output {

// Exit code: 0 clean, 1 findings, 2 nothing could be analysed or the report could not be written.
// Errors: std::runtime_error with one line, for exit code 2.
int run_check(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err);

}  // namespace syncsniff::output
