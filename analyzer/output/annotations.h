// Parses the comments of one file that are addressed to this tool: NOLINT in its forms, and `syncsniff: allow(id)
// reason`. Whether a finding is covered by one is decided in suppress.h.
#pragma once

#include <string>
#include <vector>

#include "analyzer/output/source_text.h"

namespace syncsniff::output {

struct Annotation {
  enum class Kind { kAllow, kLine, kNextLine, kBegin, kEnd };  // all but kAllow are clang-tidy's NOLINT
  Kind kind = Kind::kLine;
  unsigned line = 0, column = 0;
  bool alone = false;              // no code is on the lines of its comment
  bool has_names = false;          // false: a bare NOLINT, which covers everything
  std::vector<std::string> names;  // rule ids (kAllow) or clang-tidy globs (NOLINT), in order
  std::string spelling;            // the text between the parentheses; a BEGIN and its END have the same
  std::string reason;              // the rest of the comment's line
};

struct Annotations {
  std::vector<Annotation> items;        // in order of appearance
  std::vector<unsigned> comment_lines;  // lines that contain only comments, ascending
};

Annotations read_annotations(const SourceText& source);

}  // namespace syncsniff::output
