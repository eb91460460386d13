// Patterns of paths, as shells have them: `*`, `?` and `[a-z]`, where `*` and `?` match a `/` too.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace syncsniff {

// A pattern that can match no path. what(): why, and what to write; the end of a line.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Matches a path from its beginning or, unless the pattern begins with `/`, from behind any `/`; to the path's end, or
// to a `/` in it: a folder stands for what lies in it.
class PathGlob {
 public:
  explicit PathGlob(const std::string& pattern);  // throws PatternError
  const std::string& text() const { return text_; }
  bool matches(std::string_view path) const;

 private:
  std::string text_;                // as it was given
  std::vector<std::string> whole_;  // each matches whole paths alone
};

}  // namespace syncsniff
