#include "analyzer/output/annotations.h"

#include <cctype>
#include <optional>

#include "analyzer/output/comments.h"

namespace syncsniff::output {
namespace {

constexpr std::string_view kMark = "syncsniff:";

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view trim(std::string_view text) {
  auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    size_t comma = list.find(',');
    std::string_view name = trim(list.substr(0, comma));
    if (!name.empty()) names.emplace_back(name);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return names;
}

// The text after the directive, up to the end of the line or of the comment.
std::string reason_of(std::string_view rest) {
  rest = rest.substr(0, rest.find('\n'));
  rest = rest.substr(0, rest.find("*/"));
  while (!rest.empty() && (rest.front() == ':' || rest.front() == '-' || rest.front() == ' ')) rest.remove_prefix(1);
  return std::string(trim(rest));
}

std::optional<Annotation::Kind> nolint_kind(std::string_view word) {
  if (word == "NOLINT") return Annotation::Kind::kLine;
  if (word == "NOLINTNEXTLINE") return Annotation::Kind::kNextLine;
  if (word == "NOLINTBEGIN") return Annotation::Kind::kBegin;
  if (word == "NOLINTEND") return Annotation::Kind::kEnd;
  return std::nullopt;
}

// Reads `(names)` at `at` and moves past it. As in clang-tidy, the list must close on its own line.
bool read_names(std::string_view text, size_t& at, Annotation& into) {
  if (at >= text.size() || text[at] != '(') return false;
  size_t close = text.find_first_of("\n)", at + 1);
  if (close == std::string_view::npos || text[close] != ')') return false;
  std::string_view inside = trim(text.substr(at + 1, close - at - 1));
  into.has_names = true;
  into.spelling = inside;
  into.names = split_names(inside);
  at = close + 1;
  return true;
}

void read_nolints(std::string_view text, size_t base, const Annotation& place, const SourceText& source,
                  std::vector<Annotation>& out) {
  for (size_t at = text.find("NOLINT"); at != std::string_view::npos; at = text.find("NOLINT", at)) {
    size_t begin = at;
    while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at]))) ++at;
    auto kind = nolint_kind(text.substr(begin, at - begin));
    if (!kind) continue;
    Annotation found = place;
    found.kind = *kind;
    found.line = source.line_at(base + begin);
    found.column = static_cast<unsigned>(base + begin - source.line_start(found.line)) + 1;
    read_names(text, at, found);
    found.reason = reason_of(text.substr(at));
    out.push_back(std::move(found));
  }
}

void read_allows(std::string_view text, size_t base, const Annotation& place, const SourceText& source,
                 std::vector<Annotation>& out) {
  for (size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at)) {
    size_t begin = at;
    at += kMark.size();
    if (begin > 0 && is_name_character(text[begin - 1])) continue;
    while (at < text.size() && text[at] == ' ') ++at;
    if (!text.substr(at).starts_with("allow")) continue;
    at += 5;
    if (at < text.size() && is_name_character(text[at])) continue;  // "syncsniff: allowed ..."
    while (at < text.size() && text[at] == ' ') ++at;
    Annotation found = place;
    found.kind = Annotation::Kind::kAllow;
    found.line = source.line_at(base + begin);
    found.column = static_cast<unsigned>(base + begin - source.line_start(found.line)) + 1;
    read_names(text, at, found);
    found.reason = reason_of(text.substr(at));
    out.push_back(std::move(found));
  }
}

}  // namespace

Annotations read_annotations(const SourceText& source) {
  Annotations result;
  for (const Comment& comment : find_comments(source.text())) {
    std::string_view text = std::string_view(source.text()).substr(comment.offset, comment.length);
    Annotation place;
    place.alone = comment.alone;
    read_nolints(text, comment.offset, place, source, result.items);
    read_allows(text, comment.offset, place, source, result.items);
    if (!comment.alone) continue;
    unsigned last = source.line_at(comment.offset + comment.length - 1);
    for (unsigned line = source.line_at(comment.offset); line <= last; ++line)
      if (result.comment_lines.empty() || result.comment_lines.back() < line) result.comment_lines.push_back(line);
  }
  return result;
}

}  // namespace syncsniff::output
