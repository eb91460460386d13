// Makes text from elsewhere (names, arguments, messages, source lines) safe to print. Every writer passes it through
// here, so that no terminal and no CI service interprets it as a command. Safe text is returned unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace syncsniff {

// The printable form of one character of a text.
struct Printable {
  std::string shown;   // the character itself, or its escape: \n, \x1b (a byte), \u202e (a character)
  size_t bytes = 1;    // bytes of the text that it stands for; an invalid byte of UTF-8 is on its own
  size_t columns = 1;  // columns of a terminal: 0 for combining marks, 2 for wide characters
  bool escaped = false;
};
Printable printable_at(std::string_view text, size_t at);

// Makes a text safe as a field of one line. Escapes control characters (C0, DEL, C1, including tabs and line breaks),
// bidirectional overrides, line and paragraph separators, bytes that are not UTF-8, and text that Azure and the old
// GitHub runner interpret as a command anywhere in a line (`##vso[`, `##[`).
std::string printable(std::string_view text);

// The same, but keeps `\n`: each line is a field.
std::string printable_lines(std::string_view text);

// For a finished text of lines: replaces `::` at the start of a line (after blanks and our own colours), which the
// GitHub runner interprets as a command, by `\x3a:`. Also escapes `##vso[` and `##[` that result from joining two
// fields.
std::string guard_lines(std::string_view text);

// For JSON as printed by a library: writes what `printable` would escape as \uXXXX, which means the same in JSON.
std::string guard_json(std::string_view json);

// The number of terminal columns of a printable text, and its longest beginning and end that fit in `width` columns.
size_t columns_of(std::string_view text);
std::string_view head_of(std::string_view text, size_t width);
std::string_view tail_of(std::string_view text, size_t width);

}  // namespace syncsniff
