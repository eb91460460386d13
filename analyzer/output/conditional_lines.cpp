#include "analyzer/output/conditional_lines.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "analyzer/output/comments.h"

namespace syncsniff::output {
namespace {

struct Directive {
  unsigned line;
  std::string_view word, name;  // of `#ifndef GUARD`: ifndef, GUARD
};

std::string_view word_at(std::string_view line, size_t& at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  const size_t begin = at;
  while (at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_')) ++at;
  return line.substr(begin, at - begin);
}

std::vector<Directive> directives_of(const SourceText& source) {
  const std::vector<Comment> comments = find_comments(source.text());
  std::vector<Directive> directives;
  auto comment = comments.begin();
  for (unsigned number = 1; number <= source.line_count(); ++number) {
    const std::string_view line = source.line(number);
    size_t at = line.find_first_not_of(" \t");
    if (at == std::string_view::npos || line[at] != '#') continue;
    const size_t offset = source.line_start(number) + at;
    while (comment != comments.end() && comment->offset + comment->length <= offset) ++comment;
    if (comment != comments.end() && comment->offset <= offset) continue;
    const std::string_view word = word_at(line, ++at);
    directives.push_back({number, word, word_at(line, at)});
  }
  return directives;
}

}  // namespace

std::vector<std::pair<unsigned, unsigned>> conditional_lines(const SourceText& source) {
  const std::vector<Directive> directives = directives_of(source);
  std::vector<std::pair<unsigned, unsigned>> blocks;
  std::vector<bool> counts;  // for each open block: whether it is no include guard
  size_t open = 0;           // number of open blocks that count
  for (size_t i = 0; i < directives.size(); ++i) {
    const Directive& one = directives[i];
    if (one.word.starts_with("if")) {
      const bool guard = one.word == "ifndef" && counts.empty() && i + 1 < directives.size() &&
                         directives[i + 1].word == "define" && directives[i + 1].name == one.name;
      counts.push_back(!guard);
      if (!guard && open++ == 0) blocks.emplace_back(one.line, source.line_count());
    } else if (one.word == "endif" && !counts.empty()) {
      if (counts.back() && --open == 0) blocks.back().second = one.line;
      counts.pop_back();
    }
  }
  return blocks;
}

}  // namespace syncsniff::output
