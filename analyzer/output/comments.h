// Finds the comments in C, C++ and CUDA text, so that a NOLINT inside a string literal does not count. The lexer knows
// only literals and comments, no other tokens and no preprocessor conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncsniff::output {

struct Comment {
  size_t offset = 0, length = 0;  // with the comment markers; without the line ending for `//`
  bool alone = false;             // only white space and comments are on its lines
};

// In order of appearance. An unterminated block comment reaches to the end; an unterminated literal ends with its line.
std::vector<Comment> find_comments(std::string_view text);

}  // namespace syncsniff::output
