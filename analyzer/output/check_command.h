// `syncsniff check`: runs the analysis, writes the reports, and returns the exit code.
#pragma once

#include <functional>
#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"

namespace syncsniff::output {

// What `--fix` does with the reported findings that are not in the baseline. Returns the exit code.
using AfterReport = std::function<int(const Outcome&)>;

// Exit code: 0 clean, 1 findings, 2 nothing could be analysed or a report could not be written. Throws
// std::runtime_error with a message of one line, for exit code 2.
int run_check(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err);

// The same; calls `after` at the end, unless nothing could be analysed.
int run_check_and_then(const Options& options, const Analyse& analyse, const AfterReport& after, std::ostream& out,
                       std::ostream& err);

}  // namespace syncsniff::output
