// What the comments of one file say to this tool: NOLINT in its forms, and `syncsniff: allow(id) reason`.
// Reads comments into plain data; whether a finding is covered is decided in suppress.h.
#pragma once

#include <string>
#include <vector>

#include "analyzer/output/source_text.h"

namespace syncsniff::output {

struct Annotation {
  enum class Kind { kAllow, kLine, kNextLine, kBegin, kEnd };  // all but kAllow are clang-tidy's NOLINT
  Kind kind = Kind::kLine;
  unsigned line = 0, column = 0;
  bool alone = false;              // its comment shares its lines with no code
  bool has_names = false;          // false: a bare NOLINT, which covers everything
  std::vector<std::string> names;  // rule ids (kAllow) or clang-tidy globs (NOLINT), in order
  std::string spelling;            // what stands between the parentheses; BEGIN and END pair by it
  std::string reason;              // the rest of the comment's line
};

struct Annotations {
  std::vector<Annotation> items;        // in order of appearance
  std::vector<unsigned> comment_lines;  // lines that hold comments and nothing else, ascending
};

Annotations read_annotations(const SourceText& source);

}  // namespace syncsniff::output
