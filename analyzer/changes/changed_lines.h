// Lines that a change adds, rewrites or deletes, by file. Knows git's patch format; runs nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/source_texts.h"
#include "rules/finding.h"

namespace syncsniff::changes {

class ChangedLines {
 public:
  // Lines `first` to `last` of a file after the change. The path is absolute, with symbolic links resolved.
  void add(const std::string& path, unsigned first, unsigned last);
  // Lines were deleted after line `line` of the file, as numbered after the change; 0: at its start.
  void add_gone(const std::string& path, unsigned line) { add(path, line + 1, line); }
  // Lines were added after line `line_before`, as numbered before the change; the line below them is `next` now.
  void add_insertion(const std::string& path, unsigned line_before, unsigned next) {
    insertions_.push_back({path, line_before, next});
  }
  // Every line, as of a new file.
  void add_whole(const std::string& path);
  // A patch as `git diff -U0` writes it, with the prefixes a/ and b/. `root`: the folder that its paths are relative
  // to. Hunks of blank lines and // comments alone are left out, unless a comment that allowed findings is gone: then
  // the line after it counts as changed, or, if it was a NOLINTBEGIN or NOLINTEND, the lines that it covered.
  void add_patch(std::string_view patch, const std::string& root);
  // Where the change puts lines below a comment that allowed the next line, the line that was next counts as changed.
  // `before`: the texts of the files before the change.
  void add_parted_from_allows(const SourceTexts& before);

  bool empty() const { return ranges_.empty(); }
  bool holds(const std::string& path, unsigned first, unsigned last) const;
  std::vector<std::string> files() const;
  // The first changed line of each file.
  std::vector<std::pair<std::string, unsigned>> first_lines() const;

 private:
  struct Insertion {
    std::string path;
    unsigned line_before, next;
  };

  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> ranges_;
  std::vector<Insertion> insertions_;
};

// The finding's own lines have changed, or those of the call that makes it hot.
bool is_on(const ChangedLines& changed, const Finding& finding);

// The finding is on a changed line, or a changed line causes it: a call or loop on its call path, or a line of its
// evidence. Paths of the finding may be relative to the working directory.
bool concerns(const ChangedLines& changed, const Finding& finding);

}  // namespace syncsniff::changes
