// A comparison for people and for programs.
#pragma once

#include <ostream>

#include "instrument/compare/comparison.h"
#include "instrument/report/formats.h"

namespace syncsniff::compare {

// Lines of at most report::kReportWidth columns.
void write_terminal(const Comparison& change, bool colour, std::ostream& out);
void write_json(const Comparison& change, std::ostream& out);
const std::vector<report::Format<Comparison>>& comparison_formats();

// "+1.20 ms", "-340 us", "0".
std::string signed_time(double ns);

// "where the host was" of idle time, the line of a call: as the report of one run has it.
std::string line_text(const LineChange& line);

}  // namespace syncsniff::compare
