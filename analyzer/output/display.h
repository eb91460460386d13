// Turns a line of source into columns on a screen, and adds colours; does not depend on findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncsniff::output {

// How one character (or one invalid byte) of a line is shown on the screen.
struct Cell {
  size_t offset = 0;  // its first byte in the line
  std::string shown;
  unsigned width = 1;  // columns; 0 for combining marks
};

// Tabs extend to the next multiple of 8, as in Clang's output; what `printable` escapes is escaped (\x1b).
std::vector<Cell> to_cells(std::string_view line);

// Clang's escape sequences for colours; if off, texts stay as they are.
class Colours {
 public:
  explicit Colours(bool on) : on_(on) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string warning(const std::string& text) const { return paint("1;35", text); }
  std::string remark(const std::string& text) const { return paint("1;34", text); }
  std::string note(const std::string& text) const { return paint("1;36", text); }
  std::string caret(const std::string& text) const { return paint("1;32", text); }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return on_ && !text.empty() ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
  }
  bool on_;
};

}  // namespace syncsniff::output
