#include "analyzer/fixes/delete_statement.h"

#include <algorithm>
#include <string_view>

namespace syncsniff::fixes {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct LineEnd {
  bool empty = false;      // only blanks and comments up to the end of the line
  bool continued = false;  // the line ends in a backslash, as in a macro's body
  size_t next = 0;         // first byte of the next line
};

// What follows the statement on its last line.
LineEnd rest_of_line(std::string_view text, size_t at) {
  size_t newline = text.find('\n', at);
  LineEnd end;
  end.next = newline == std::string_view::npos ? text.size() : newline + 1;
  size_t stop = newline == std::string_view::npos ? text.size() : newline;
  if (stop > at && text[stop - 1] == '\r') --stop;
  if (stop > at && text[stop - 1] == '\\') end.continued = true, --stop;
  std::string_view rest = text.substr(at, stop - at);
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with("/*")) break;
    size_t close = rest.find("*/", 2);
    if (close == std::string_view::npos) return end;  // the comment continues on the next line
    rest.remove_prefix(close + 2);
  }
  // A line comment that ends in a backslash includes the next line, so the line is left as it is.
  end.empty = rest.empty() || (rest.starts_with("//") && !end.continued);
  return end;
}

bool ends_in_backslash(std::string_view text, size_t line_begin) {
  if (line_begin == 0) return false;
  size_t end = line_begin - 1;
  if (end > 0 && text[end - 1] == '\r') --end;
  return end > 0 && text[end - 1] == '\\';
}

bool follows_label(std::string_view text, size_t offset) {
  size_t last = offset == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", offset - 1);
  if (last == std::string_view::npos || text[last] != ':') return false;
  return last == 0 || text[last - 1] != ':';
}

}  // namespace

Edit delete_statement(const std::string& file, const std::string& text, unsigned offset, unsigned length,
                      bool is_sole_body) {
  Edit edit{file, offset, length, ""};
  if (is_sole_body) {
    edit.replacement = "{}";
    return edit;
  }
  if (follows_label(text, offset)) {
    edit.replacement = ";";
    return edit;
  }
  size_t begin = offset, end = size_t{offset} + length;
  size_t blanks_before = begin;
  while (blanks_before > 0 && is_blank(text[blanks_before - 1])) --blanks_before;
  bool starts_line = blanks_before == 0 || text[blanks_before - 1] == '\n';
  LineEnd rest = rest_of_line(text, end);
  // The last line of a macro's body must stay, since the line above ends in a backslash and would continue into the
  // code below.
  bool ends_macro = ends_in_backslash(text, blanks_before) && !rest.continued;
  if (starts_line && rest.empty && !ends_macro) {
    begin = blanks_before;
    end = rest.next;
  } else if (starts_line) {
    while (end < text.size() && is_blank(text[end])) ++end;
  } else {
    begin = blanks_before;
  }
  edit.offset = static_cast<unsigned>(begin);
  edit.length = static_cast<unsigned>(end - begin);
  return edit;
}

}  // namespace syncsniff::fixes
