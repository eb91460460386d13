// The line tables of a comparison on the terminal.
#pragma once

#include <ostream>

#include "instrument/compare/comparison.h"
#include "instrument/report/terminal_table.h"

namespace syncsniff::compare {

// Lists the lines that changed by a hundredth of `length_ns` or more, and sums up the others.
void write_idle_lines(const DeviceChange& device, double length_ns, const report::Style& style, std::ostream& out);
void write_call_lines(const Comparison& change, const report::Style& style, std::ostream& out);

}  // namespace syncsniff::compare
