#include "analyzer/fixes/unified_diff.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "analyzer/fixes/apply_edits.h"

namespace syncsniff::fixes {
namespace {

constexpr size_t kContext = 3;

using Lines = std::vector<std::string>;  // each with its line ending, if it has one

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// The old lines [first, first + removed) are replaced by `added`.
struct Change {
  size_t first = 0, removed = 0;
  Lines added;
};

class ChangeFinder {
 public:
  ChangeFinder(const std::string& text, const std::vector<Edit>& edits) : text_(text), edits_(edits) {}

  std::vector<Change> run() {
    while (next_ < edits_.size()) block();
    return std::move(changes_);
  }

 private:
  bool at_line_start(size_t offset) const { return offset == 0 || text_[offset - 1] == '\n'; }

  size_t line_begin(size_t offset) const {
    size_t newline = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  }

  // The text of the bytes [begin, end) with their edits applied.
  std::string compose(size_t begin, size_t end, size_t first_edit) const {
    std::vector<Edit> here(edits_.begin() + static_cast<long>(first_edit), edits_.begin() + static_cast<long>(next_));
    for (Edit& edit : here) edit.offset -= static_cast<unsigned>(begin);
    return apply_edits(text_.substr(begin, end - begin), here);
  }

  // Whether the edit starts where a block ends in the middle of a line (at the end of a text without a final newline).
  bool joins(size_t edit, size_t end) const { return edits_[edit].offset == end && !at_line_start(end); }

  // Adds the change of the whole lines around one edit and around the edits that touch these lines.
  void block() {
    size_t first_edit = next_;
    size_t begin = line_begin(edits_[next_].offset), end = begin;
    std::string after;
    while (true) {
      while (next_ < edits_.size() && (next_ == first_edit || edits_[next_].offset < end || joins(next_, end))) {
        end = std::max(end, size_t{edits_[next_].offset} + edits_[next_].length);
        ++next_;
      }
      after = compose(begin, end, first_edit);
      bool whole_lines = end == text_.size() || (at_line_start(end) && (after.empty() || after.back() == '\n'));
      if (!whole_lines) {
        size_t newline = text_.find('\n', end);
        end = newline == std::string::npos ? text_.size() : newline + 1;
      } else if (next_ == edits_.size() || !joins(next_, end)) {
        break;
      }
    }
    add(begin, split_lines(std::string_view(text_).substr(begin, end - begin)), split_lines(after));
  }

  void add(size_t begin, Lines before, Lines after) {
    size_t same = 0;
    while (same < before.size() && same < after.size() && before[same] == after[same]) ++same;
    size_t tail = 0;
    while (tail < before.size() - same && tail < after.size() - same &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
      ++tail;
    if (before.size() == same + tail && after.size() == same + tail) return;
    auto line = static_cast<size_t>(std::count(text_.begin(), text_.begin() + static_cast<long>(begin), '\n'));
    Change change{line + same, before.size() - same - tail, {}};
    change.added.assign(after.begin() + static_cast<long>(same), after.end() - static_cast<long>(tail));
    changes_.push_back(std::move(change));
  }

  const std::string& text_;
  const std::vector<Edit>& edits_;
  size_t next_ = 0;
  std::vector<Change> changes_;
};

std::string marked(char mark, const std::string& line) {
  bool ended = !line.empty() && line.back() == '\n';
  return mark + line + (ended ? "" : "\n\\ No newline at end of file\n");
}

// "12,3": the first line of one side and its number of lines. A side without lines names the line before it.
std::string side(size_t first, size_t count) {
  std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

// Quotes a file name with special characters as git does.
std::string git_quoted(const std::string& path) {
  bool special = std::any_of(path.begin(), path.end(),
                             [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\' || c >= 0x7F; });
  if (!special) return path.find(' ') == std::string::npos ? path : path + "\t";
  std::string result = "\"";
  for (unsigned char c : path) {
    std::array<char, 8> octal{};
    std::snprintf(octal.data(), octal.size(), "\\%03o", c);
    if (c == '"' || c == '\\')
      (result += '\\') += static_cast<char>(c);
    else if (c < 0x20 || c >= 0x7F)  // as git does
      result += octal.data();
    else
      result += static_cast<char>(c);
  }
  return result + "\"";
}

std::string hunk(const Lines& old_lines, const std::vector<Change>& changes, size_t from, size_t to, long& shift) {
  size_t begin = changes[from].first - std::min(kContext, changes[from].first);
  size_t end = std::min(old_lines.size(), changes[to].first + changes[to].removed + kContext);
  std::string body;
  long grown = 0;
  size_t at = begin;
  for (size_t i = from; i <= to; ++i) {
    for (; at < changes[i].first; ++at) body += marked(' ', old_lines[at]);
    for (; at < changes[i].first + changes[i].removed; ++at) body += marked('-', old_lines[at]);
    for (const std::string& line : changes[i].added) body += marked('+', line);
    grown += static_cast<long>(changes[i].added.size()) - static_cast<long>(changes[i].removed);
  }
  for (; at < end; ++at) body += marked(' ', old_lines[at]);
  auto new_begin = static_cast<size_t>(static_cast<long>(begin) + shift);
  auto new_count = static_cast<size_t>(static_cast<long>(end - begin) + grown);
  shift += grown;
  return "@@ -" + side(begin, end - begin) + " +" + side(new_begin, new_count) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(const std::string& path, const std::string& text, const std::vector<Edit>& edits) {
  std::vector<Change> changes = ChangeFinder(text, edits).run();
  if (changes.empty()) return "";
  Lines old_lines = split_lines(text);
  std::string below = path.substr(std::min(path.find_first_not_of('/'), path.size()));
  std::string result = "--- " + git_quoted("a/" + below) + "\n+++ " + git_quoted("b/" + below) + "\n";
  long shift = 0;
  for (size_t from = 0; from < changes.size();) {
    size_t to = from;
    // Changes whose context lines would overlap or touch are in one hunk.
    while (to + 1 < changes.size() && changes[to + 1].first - (changes[to].first + changes[to].removed) <= 2 * kContext)
      ++to;
    result += hunk(old_lines, changes, from, to, shift);
    from = to + 1;
  }
  return result;
}

}  // namespace syncsniff::fixes
