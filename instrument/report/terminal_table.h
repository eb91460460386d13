// Plain-text layout for the terminal report: cells, wrapping, colour. All functions first replace unprintable
// characters, and count the columns of the result. Does not know runs.
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

std::string pad_right(const std::string& text, size_t width);  // longer text is cut
std::string pad_left(const std::string& text, size_t width);
std::string keep_tail(const std::string& text, size_t width);  // "...tail" if the text is longer
std::string keep_head(const std::string& text, size_t width);

// Breaks at spaces; each line begins with `indent` blanks and has at most `width` columns; a longer word is split.
std::vector<std::string> wrap(const std::string& text, size_t indent, size_t width);

}  // namespace syncsniff::report
