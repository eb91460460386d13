// Path patterns as in shells: `*`, `?` and `[a-z]`; but here `*` and `?` also match a `/`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace syncsniff {

// Thrown for a pattern that can match no path. what(): the reason and what to write instead, as the end of a line.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A match begins at the start of the path or, unless the pattern begins with `/`, after any `/` in it. It ends at the
// end of the path or at a `/`, so a folder stands for everything in it.
class PathGlob {
 public:
  explicit PathGlob(const std::string& pattern);  // throws PatternError
  const std::string& text() const { return text_; }
  bool matches(std::string_view path) const;

 private:
  std::string text_;                // as given by the user
  std::vector<std::string> whole_;  // patterns that match whole paths only
};

}  // namespace syncsniff
