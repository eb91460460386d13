#include "analyzer/output/display.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace syncsniff::output {
namespace {

constexpr unsigned kTabStop = 8;
// The least code that needs so many bytes of UTF-8; anything below is an overlong form.
constexpr std::array<uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};

struct Range {
  uint32_t first, last;
};
// The ranges of Unicode's East Asian Width W and F that occur in practice.
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0x33FF},
                                       {0x3400, 0x4DBF},
                                       {0x4E00, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
// Combining marks, joiners and variation selectors.
constexpr std::array<Range, 6> kZero{
    {{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}}};

template <size_t N>
bool in(const std::array<Range, N>& ranges, uint32_t code) {
  for (const Range& range : ranges)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

struct Decoded {
  uint32_t code = 0;
  size_t length = 0;  // 0: no valid character here
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
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(at + i) & 0x3F);
  }
  if (code < kLeast[length] || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, length};
}

// Bytes that would move the cursor or change the terminal's state (C0, DEL, C1, bidirectional overrides).
bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string hex(uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "<%02X>", value);
  return text.data();
}

}  // namespace

std::vector<Cell> to_cells(std::string_view line) {
  std::vector<Cell> cells;
  unsigned column = 0;
  for (size_t at = 0; at < line.size();) {
    Decoded character = decode(line, at);
    Cell cell{at, "", 1};
    if (line[at] == '\t') {
      cell.width = kTabStop - column % kTabStop;
      cell.shown.assign(cell.width, ' ');
    } else if (character.length == 0 || is_control(character.code)) {
      cell.shown = hex(character.length == 0 ? static_cast<unsigned char>(line[at]) : character.code);
      cell.width = static_cast<unsigned>(cell.shown.size());
    } else {
      cell.shown = line.substr(at, character.length);
      cell.width = in(kZero, character.code) ? 0 : in(kWide, character.code) ? 2 : 1;
    }
    at += character.length == 0 ? 1 : character.length;
    column += cell.width;
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::string printable(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    Decoded character = decode(text, at);
    size_t length = character.length == 0 ? 1 : character.length;
    if (text[at] == '\n' || text[at] == '\t' || text[at] == '\r')
      result += ' ';
    else if (character.length == 0)
      result += hex(static_cast<unsigned char>(text[at]));
    else if (is_control(character.code))
      result += hex(character.code);
    else
      result += text.substr(at, length);
    at += length;
  }
  return result;
}

}  // namespace syncsniff::output
