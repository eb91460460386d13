// Line of a Python instruction from its code object's location table (CPython 3.11 and later, Objects/locations.md).
#pragma once

#include <cstdint>
#include <string_view>

namespace syncsniff::reader {

// `offset`: bytes from the start of the code. Returns first_line if the table has no line for it or is damaged, and for
// versions before 3.11, which have another table format.
int python_line(std::string_view line_table, int first_line, uint16_t version, uint32_t offset);

}  // namespace syncsniff::reader
