#include "analyzer/changes/changed_lines.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <filesystem>
#include <map>
#include <tuple>

#include "analyzer/remembered_paths.h"

namespace syncsniff::changes {
namespace {

constexpr std::string_view kOldFile = "--- ", kNewFile = "+++ ";

// C's escapes, as git quotes names with control characters, quotes and backslashes.
std::string unquoted(std::string_view name) {
  static constexpr std::pair<char, char> kEscapes[] = {{'a', '\a'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'},
                                                       {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};
  std::string out;
  for (size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] != '\\') {
      out += name[i];
      continue;
    }
    const char c = name[++i];
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes), [&](auto e) { return e.first == c; });
    if (escape != std::end(kEscapes)) {
      out += escape->second;
    } else if (c >= '0' && c <= '3' && i + 3 < name.size()) {
      out += static_cast<char>((c - '0') * 64 + (name[i + 1] - '0') * 8 + (name[i + 2] - '0'));
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

// "b/some name.cu\t", "\"b/a \\\"name\\\".cu\"\t": the name without the prefix. Empty: /dev/null, the other side of a
// new or deleted file.
std::string name_of(std::string_view text, std::string_view prefix) {
  text = text.substr(0, text.find('\t'));  // git adds a tab to names with blanks
  const std::string name = text.starts_with('"') ? unquoted(text) : std::string(text);
  return name.starts_with(prefix) ? name.substr(prefix.size()) : "";
}

// The two numbers after '-' or '+' in "@@ -10,2 +11,3 @@".
std::pair<unsigned, unsigned> range_after(std::string_view line, char sign) {
  const size_t at = line.find(sign);
  if (at == std::string_view::npos) return {0, 0};
  unsigned first = 0, count = 1;
  const char* const end = line.data() + line.size();
  const auto begun = std::from_chars(line.data() + at + 1, end, first);
  if (begun.ptr < end && *begun.ptr == ',') std::from_chars(begun.ptr + 1, end, count);
  return {first, count};
}

std::string whole_path(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : whole.string();
}

// The NOLINTBEGIN and NOLINTEND comments that a patch of one file adds and removes. Where a block no longer covers the
// lines that it covered, these lines count as changed.
class BlockComments {
 public:
  // `line`: a line of a hunk, with its sign. `at`: where it is, or was, in the new file.
  void read(std::string_view line, unsigned at) {
    for (const bool begins : {true, false}) {
      const std::string_view word = begins ? "NOLINTBEGIN" : "NOLINTEND";
      const size_t found = line.find(word);
      if (found == line.npos) continue;
      // A BEGIN that is gone, or an END that is new, uncovers the lines after it.
      const bool uncovers = begins == line.starts_with('-');
      marks_.push_back({std::string(names_after(line, found + word.size())), at, uncovers});
    }
  }

  void add_to(ChangedLines& changed, const std::string& file) {
    std::map<std::string, Uncovered> by_names;
    for (const Mark& mark : marks_) {
      Uncovered& lines = by_names[mark.names];
      if (mark.uncovers && ++lines.depth == 1) lines.first = mark.line + 1;
      if (!mark.uncovers && --lines.depth == 0 && lines.first <= mark.line) changed.add(file, lines.first, mark.line);
    }
    for (const auto& [names, lines] : by_names)
      if (lines.depth > 0) changed.add(file, lines.first, UINT_MAX);  // what is left is no pair
    marks_.clear();
  }

 private:
  struct Mark {
    std::string names;  // in parentheses; those of a BEGIN and its END are the same
    unsigned line;
    bool uncovers;
  };
  struct Uncovered {
    int depth = 0;
    unsigned first = 0;
  };

  static std::string_view names_after(std::string_view line, size_t at) {
    line.remove_prefix(at);
    return line.starts_with('(') ? line.substr(0, line.find(')')) : std::string_view();
  }

  std::vector<Mark> marks_;
};

// One hunk of a patch.
struct Hunk {
  std::string file;
  unsigned first = 0, added = 0;
  unsigned first_before = 0, removed = 0;  // as numbered before the change
  bool has_code = false;                   // some line is neither blank nor a comment
  bool ends_an_allow = false;              // a comment that allowed what follows it is gone

  // `line`: with its sign.
  void read(std::string_view line) {
    const size_t text = line.find_first_not_of(" \t\r", 1);
    if (text == std::string_view::npos) return;
    has_code |= line.substr(text, 2) != "//";
    ends_an_allow |= line.starts_with('-') && (line.find("syncsniff:") != line.npos || allows_one_line(line));
  }
  static bool allows_one_line(std::string_view line) {
    return line.find("NOLINT") != line.npos && line.find("NOLINTBEGIN") == line.npos &&
           line.find("NOLINTEND") == line.npos;
  }
  // What was allowed until now is on the line after.
  void add_to(ChangedLines& changed) const {
    if (!file.empty() && removed == 0) changed.add_insertion(file, first_before, first + added);
    if (file.empty() || (!has_code && !ends_an_allow)) return;
    if (added > 0)
      changed.add(file, first, first + added - 1);
    else if (has_code)
      changed.add_gone(file, first);
    if (ends_an_allow) changed.add(file, first + std::max(1u, added), first + std::max(1u, added));
  }
};

// The line with this number, counted from 1; nothing if the text is shorter.
std::string_view line_of(std::string_view text, unsigned number) {
  for (; number > 1 && !text.empty(); --number) {
    const size_t end = text.find('\n');
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return number == 0 ? std::string_view() : text.substr(0, text.find('\n'));
}

// Whether a comment on line `number`, or above it with only comments between, allows findings on the line after.
bool allows_line_after(std::string_view text, unsigned number) {
  if (line_of(text, number).find("NOLINTNEXTLINE") != text.npos) return true;
  for (; number > 0; --number) {
    std::string_view line = line_of(text, number);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("//") && !line.starts_with("/*") && !line.starts_with("*")) return false;
    if (line.find("syncsniff:") != line.npos) return true;
  }
  return false;
}

const std::string& canonical(const std::string& path) {
  static RememberedPaths known(whole_path);
  return known.of(path);
}

bool holds(const ChangedLines& changed, const Location& at) {
  return at.line != 0 && changed.holds(canonical(at.file), at.line, std::max(at.line, at.end_line));
}

}  // namespace

void ChangedLines::add(const std::string& path, unsigned first, unsigned last) {
  ranges_[path].emplace_back(first, last);
}

void ChangedLines::add_whole(const std::string& path) { add(path, 1, UINT_MAX); }

void ChangedLines::add_patch(std::string_view patch, const std::string& root) {
  std::string path, old_path;
  Hunk hunk;
  BlockComments blocks;
  size_t body = 0;  // remaining lines of the hunk, whatever their first character
  while (!patch.empty()) {
    const size_t end = patch.find('\n');
    const std::string_view line = patch.substr(0, end);
    patch.remove_prefix(end == std::string_view::npos ? patch.size() : end + 1);
    if (body > 0) {
      if (line.starts_with('\\')) continue;  // "\ No newline at end of file"
      hunk.read(line);
      blocks.read(line, hunk.first);
      if (--body == 0) hunk.add_to(*this);
    } else if (line.starts_with(kNewFile)) {
      path = name_of(line.substr(kNewFile.size()), "b/");
    } else if (line.starts_with(kOldFile)) {
      old_path = name_of(line.substr(kOldFile.size()), "a/");
    } else if (line.starts_with("@@ ")) {
      hunk = {};
      std::tie(hunk.first, hunk.added) = range_after(line, '+');
      std::tie(hunk.first_before, hunk.removed) = range_after(line, '-');
      body = hunk.added + hunk.removed;
      if ((path.empty() && old_path.empty()) || line.find(" +") == line.npos) continue;
      hunk.file = root + "/" + (path.empty() ? old_path : path);
    } else if (line.starts_with("diff --git ")) {
      blocks.add_to(*this, hunk.file);
      path.clear();
      old_path.clear();
    }
  }
  if (body > 0) hunk.add_to(*this);  // the patch is cut off
  blocks.add_to(*this, hunk.file);
}

void ChangedLines::add_parted_from_allows(const SourceTexts& before) {
  for (const Insertion& inserted : insertions_) {
    const auto text = before.find(inserted.path);
    if (text != before.end() && allows_line_after(text->second, inserted.line_before))
      add(inserted.path, inserted.next, inserted.next);
  }
}

bool ChangedLines::holds(const std::string& path, unsigned first, unsigned last) const {
  const auto file = ranges_.find(path);
  return file != ranges_.end() && std::any_of(file->second.begin(), file->second.end(), [&](const auto& range) {
           return range.first <= last && first <= range.second;
         });
}

std::vector<std::pair<std::string, unsigned>> ChangedLines::first_lines() const {
  std::vector<std::pair<std::string, unsigned>> out;
  for (const auto& [path, ranges] : ranges_) {
    unsigned first = UINT_MAX;
    for (const auto& [begin, end] : ranges) first = std::min({first, begin, std::max(1u, end)});
    if (!ranges.empty()) out.emplace_back(path, first);
  }
  return out;
}

std::vector<std::string> ChangedLines::files() const {
  std::vector<std::string> out;
  for (const auto& [path, ranges] : ranges_) out.push_back(path);
  return out;
}

bool is_on(const ChangedLines& changed, const Finding& finding) {
  return holds(changed, finding.location) || holds(changed, finding.hot_call);
}

bool concerns(const ChangedLines& changed, const Finding& finding) {
  const auto here = [&](const Location& at) { return holds(changed, at); };
  const auto step_here = [&](const PathStep& step) { return here(step.location); };
  const auto any_here = [&](const std::vector<Location>& places) {
    return std::any_of(places.begin(), places.end(), here);
  };
  return here(finding.location) || here(finding.wait) || here(finding.release) || any_here(finding.calls) ||
         std::any_of(finding.path.begin(), finding.path.end(), step_here) ||
         std::any_of(finding.evidence.begin(), finding.evidence.end(), step_here);
}

}  // namespace syncsniff::changes
