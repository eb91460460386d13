#include "rules/untrusted_text.h"

#include <array>
#include <cstdio>

#include "rules/character_widths.h"

namespace syncsniff {
namespace {

// By length in bytes: the smallest code that needs so many bytes in UTF-8. Smaller codes are overlong forms.
constexpr std::array<uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};

struct CodeRange {
  uint32_t first, last;
};
// C0, DEL and C1 move the cursor or change the terminal's state; separators break a line in some viewers; overrides
// display text in another order than it has.
constexpr std::array<CodeRange, 6> kUnfit{
    {{0x00, 0x1F}, {0x7F, 0x9F}, {0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}}};
constexpr std::array<CodeRange, 7> kBlank{{{0x20, 0x20},
                                           {0xA0, 0xA0},
                                           {0x1680, 0x1680},
                                           {0x2000, 0x200A},
                                           {0x202F, 0x202F},
                                           {0x205F, 0x205F},
                                           {0x3000, 0x3000}}};

template <size_t N>
bool in_any(const std::array<CodeRange, N>& ranges, uint32_t code) {
  for (const CodeRange& range : ranges)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

struct Decoded {
  uint32_t code = 0;
  size_t length = 0;  // 0: there is no valid character here
};

Decoded decode(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(at);
  size_t length = lead < 0x80                   ? 1
                  : lead >= 0xC2 && lead < 0xE0 ? 2
                  : lead >= 0xE0 && lead < 0xF0 ? 3
                  : lead >= 0xF0 && lead < 0xF5 ? 4
                                                : 0;
  if (length == 0 || at + length > text.size()) return {};
  uint32_t code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  if (code < kLeast[length] || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, length};
}

std::string escape(const char* format, uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string escaped_character(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return escape(code < 0x80 ? "\\x%02x" : "\\u%04x", code);
}

// Both runners search for these anywhere in a line, ignoring case.
bool is_log_command(std::string_view text, size_t at) {
  for (std::string_view mark : {"##[", "##vso["}) {
    size_t same = 0;
    while (same < mark.size() && at + same < text.size() &&
           (text[at + same] == mark[same] || text[at + same] == (mark[same] & ~0x20)))
      ++same;
    if (same == mark.size()) return true;
  }
  return false;
}

// The position after blanks (also Unicode's, since the runner trims a line first) and our own colour codes.
size_t visible_start(std::string_view text, size_t at) {
  while (at < text.size()) {
    const Decoded character = decode(text, at);
    if (in_any(kBlank, character.code)) {
      at += character.length;
    } else if (text.substr(at, 2) == "\x1b[") {
      const size_t end = text.find('m', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

Printable printable_at(std::string_view text, size_t at) {
  const Decoded character = decode(text, at);
  Printable result;
  if (character.length == 0) {
    result.shown = escape("\\x%02x", static_cast<unsigned char>(text[at]));
  } else if (in_any(kUnfit, character.code) || (text[at] == '#' && is_log_command(text, at))) {
    result.shown = escaped_character(character.code);
    result.bytes = character.length;
  } else {
    result.shown = text.substr(at, character.length);
    result.bytes = character.length;
    result.columns = character_columns(character.code);
    return result;
  }
  result.columns = result.shown.size();
  result.escaped = true;
  return result;
}

std::string printable(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const Printable next = printable_at(text, at);
    result += next.shown;
    at += next.bytes;
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  while (true) {
    const size_t end = text.find('\n');
    result += printable(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string guard_lines(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  size_t start = visible_start(text, 0);
  for (size_t at = 0; at < text.size(); ++at) {
    const bool command = (at == start && text.substr(at, 2) == "::") || (text[at] == '#' && is_log_command(text, at));
    if (command)
      result += escaped_character(static_cast<unsigned char>(text[at]));
    else
      result += text[at];
    if (text[at] == '\n') start = visible_start(text, at + 1);
  }
  return result;
}

std::string guard_json(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (size_t at = 0; at < json.size();) {
    const Decoded character = decode(json, at);
    const size_t length = character.length == 0 ? 1 : character.length;
    const bool layout = json[at] == '\n' || json[at] == '\t' || json[at] == '\r';
    if (character.length == 0)
      result += "\\ufffd";
    else if ((in_any(kUnfit, character.code) && !layout) || (json[at] == '#' && is_log_command(json, at)))
      result += escape("\\u%04x", character.code);
    else
      result += json.substr(at, length);
    at += length;
  }
  return result;
}

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for (size_t at = 0; at < text.size();) {
    const Printable next = printable_at(text, at);
    columns += next.columns;
    at += next.bytes;
  }
  return columns;
}

std::string_view head_of(std::string_view text, size_t width) {
  size_t columns = 0, at = 0;
  while (at < text.size()) {
    const Printable next = printable_at(text, at);
    if (columns + next.columns > width) break;
    columns += next.columns;
    at += next.bytes;
  }
  return text.substr(0, at);
}

std::string_view tail_of(std::string_view text, size_t width) {
  size_t columns = columns_of(text), at = 0;
  while (columns > width) {
    const Printable next = printable_at(text, at);
    columns -= next.columns;
    at += next.bytes;
  }
  // Combining marks of a character that was cut off would be drawn over the preceding text.
  while (at > 0 && at < text.size() && printable_at(text, at).columns == 0) at += printable_at(text, at).bytes;
  return text.substr(at);
}

}  // namespace syncsniff
