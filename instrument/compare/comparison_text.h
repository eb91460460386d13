// Writes a comparison for the terminal and as JSON.
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

// The text of a line as in the report of one run: for idle time where the host was, for a call its line.
std::string line_text(const LineChange& line);

}  // namespace syncsniff::compare
