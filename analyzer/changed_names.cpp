#include "analyzer/changed_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "analyzer/facts/names_in_text.h"
#include "rules/regular_file.h"

namespace syncsniff {
namespace {

constexpr size_t kShortestName = 3;  // `i` and `fn` occur everywhere
constexpr size_t kFewMention = 16, kMostReadAgain = 32;

bool is_word_of_cpp(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "alignas",    "auto",      "bool",      "break",    "case",     "catch",    "char",     "class",   "const",
      "constant",   "consteval", "constexpr", "continue", "decltype", "default",  "define",   "delete",  "double",
      "else",       "endif",     "enum",      "explicit", "extern",   "false",    "final",    "float",   "for",
      "friend",     "goto",      "ifdef",     "ifndef",   "include",  "inline",   "int",      "long",    "mutable",
      "namespace",  "new",       "noexcept",  "nullptr",  "once",     "operator", "override", "pragma",  "private",
      "protected",  "public",    "return",    "short",    "signed",   "sizeof",   "static",   "std",     "string",
      "struct",     "switch",    "template",  "this",     "throw",    "true",     "try",      "typedef", "typename",
      "union",      "unsigned",  "using",     "vector",   "virtual",  "void",     "volatile", "while",   "__device__",
      "__global__", "__host__"};
  return kWords.count(word) != 0;
}

std::vector<std::string_view> sorted_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// The line without the part of a comment that began on an earlier line. A line that begins with a star is taken for the
// middle of such a comment.
std::string code_of(std::string_view line) {
  if (const size_t end = line.find("*/"); end < line.find("/*")) line.remove_prefix(end + 2);
  const size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '*' ? std::string() : std::string(line);
}

}  // namespace

std::string present_text(const std::string& file, const SourceTexts& now) {
  std::string ignored;
  const auto given = now.find(file);
  return given != now.end() ? given->second : read_regular_file(file, ignored).value_or("");
}

std::set<std::string> changed_names(const std::string& before, const std::string& now) {
  const std::vector<std::string_view> old_lines = sorted_lines(before), new_lines = sorted_lines(now);
  std::vector<std::string_view> changed;
  std::set_symmetric_difference(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end(),
                                std::back_inserter(changed));
  std::set<std::string> names;
  for (const std::string_view line : changed)
    for (std::string& name : facts::names_in_text(code_of(line)))
      if (name.size() >= kShortestName && !is_word_of_cpp(name)) names.insert(std::move(name));
  return names;
}

std::set<std::string> mentioned_names(const std::string& text, const std::set<std::string>& names) {
  std::set<std::string> mentioned;
  for (std::string& name : facts::names_in_text(text))
    if (names.count(name) != 0) mentioned.insert(std::move(name));
  return mentioned;
}

std::set<size_t> units_that_mention_changes(const std::vector<facts::StaleUnit>& stale, const SourceTexts& before,
                                            const SourceTexts& now) {
  std::set<std::string> changed, names;
  for (const facts::StaleUnit& unit : stale) changed.insert(unit.changed.begin(), unit.changed.end());
  for (const std::string& file : changed)
    if (const auto was = before.find(file); was != before.end())
      names.merge(changed_names(was->second, present_text(file, now)));
  std::map<std::string, std::set<std::string>> in_file;
  std::map<std::string, std::set<size_t>> by_name;
  for (size_t n = 0; n < stale.size() && !names.empty(); ++n) {
    for (const facts::SourceContent& source : stale[n].unit.sources) {
      const std::string file = source.file.str();
      if (stale[n].changed.count(file) != 0) continue;
      const auto [known, is_new] = in_file.try_emplace(file);
      if (is_new) known->second = mentioned_names(present_text(file, now), names);
      for (const std::string& name : known->second) by_name[name].insert(n);
    }
  }
  std::set<size_t> units;
  for (const auto& [name, which] : by_name)
    if (which.size() <= kFewMention && units.size() + which.size() <= kMostReadAgain)
      units.insert(which.begin(), which.end());
  return units;
}

}  // namespace syncsniff
