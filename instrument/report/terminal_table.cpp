#include "instrument/report/terminal_table.h"

#include <algorithm>

#include "rules/untrusted_text.h"

namespace syncsniff::report {

std::string Style::operator()(Colour colour, const std::string& text) const {
  static constexpr const char* kCodes[] = {"", "\033[1m", "\033[2m", "\033[31m", "\033[33m", "\033[32m"};
  if (!on_ || colour == Colour::kPlain) return text;
  return kCodes[static_cast<int>(colour)] + text + "\033[0m";
}

std::string keep_head(const std::string& text, size_t width) {
  const std::string shown = printable(text);
  return columns_of(shown) <= width ? shown : std::string(head_of(shown, width - 3)) + "...";
}

std::string keep_tail(const std::string& text, size_t width) {
  const std::string shown = printable(text);
  return columns_of(shown) <= width ? shown : "..." + std::string(tail_of(shown, width - 3));
}

std::string pad_right(const std::string& text, size_t width) {
  const std::string cell = keep_head(text, width);
  return cell + std::string(width - columns_of(cell), ' ');
}

std::string pad_left(const std::string& text, size_t width) {
  const std::string cell = keep_head(text, width);
  return std::string(width - columns_of(cell), ' ') + cell;
}

std::vector<std::string> wrap(const std::string& text, size_t indent, size_t width) {
  const std::string blank(indent, ' ');
  const size_t room = width - indent;
  std::vector<std::string> lines;
  std::string line;
  auto flush = [&] {
    if (!line.empty()) lines.push_back(blank + line);
    line.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    std::string word = printable(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > room) flush();
    while (columns_of(word) > room) {
      flush();
      const std::string_view part = head_of(word, room);
      lines.push_back(blank + std::string(part));
      word.erase(0, part.size());
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
  }
  flush();
  return lines;
}

}  // namespace syncsniff::report
