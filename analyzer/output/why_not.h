// `check --why-not FILE:LINE`: why a line has no finding, or a less severe one.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"

namespace syncsniff::output {

// Prints the findings of the line and each reason that withheld or lowered one. Returns 0; 2 if nothing could be read.
int run_why_not(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err);

}  // namespace syncsniff::output
