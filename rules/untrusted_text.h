// Makes text from elsewhere (names, arguments, messages, source lines) safe to print: every writer passes it through
// here, so that no terminal and no CI service interprets it as a command. Safe text is returned unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace syncsniff {

// What stands at one place of a text, as it may be printed.
struct Printable {
  std::string shown;   // the character itself, or its escape: \n, \x1b (a byte), \u202e (a character)
  size_t bytes = 1;    // of the text; a byte that is no UTF-8 stands alone
  size_t columns = 1;  // of a terminal: 0 for combining marks, 2 for wide characters
  bool escaped = false;
};
Printable printable_at(std::string_view text, size_t at);

// A field of one line. Escaped are control characters (C0, DEL, C1; tab and line breaks too), bidirectional overrides,
// the line and paragraph separators, bytes that are no UTF-8, and what Azure and the old GitHub runner take for a
// command anywhere in a line (`##vso[`, `##[`).
std::string printable(std::string_view text);

// The same, but `\n` stays: each line is a field.
std::string printable_lines(std::string_view text);

// A finished text of lines: `::` at the start of a line (after blanks and our own colours), which the GitHub runner
// takes for a command, becomes `\x3a:`; `##vso[` and `##[` that two fields made together are escaped too.
std::string guard_lines(std::string_view text);

// JSON as a library printed it: what `printable` would escape is written as \uXXXX, and means the same.
std::string guard_json(std::string_view json);

// Columns that a printable text takes on a terminal, and the longest beginning and end of it that fit `width` of them.
size_t columns_of(std::string_view text);
std::string_view head_of(std::string_view text, size_t width);
std::string_view tail_of(std::string_view text, size_t width);

}  // namespace syncsniff
