// Plain-text layout for the terminal report: cells, wrapping, colour. All of it makes its text printable first, and
// counts the columns of what is printed. Knows nothing of runs.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::report {

enum class Colour { kPlain, kBold, kDim, kRed, kYellow, kGreen };

class Style {
 public:
  explicit Style(bool on) : on_(on) {}
  std::string operator()(Colour colour, const std::string& text) const;

 private:
  bool on_;
};

std::string pad_right(const std::string& text, size_t width);  // cuts what is longer
std::string pad_left(const std::string& text, size_t width);
std::string keep_tail(const std::string& text, size_t width);  // "...tail" when longer
std::string keep_head(const std::string& text, size_t width);

// Breaks at spaces; every line begins with `indent` blanks and ends within `width` columns; a longer word is cut up.
std::vector<std::string> wrap(const std::string& text, size_t indent, size_t width);

}  // namespace syncsniff::report
