// Finds the comments of C, C++ and CUDA text, so that a NOLINT inside a string literal is not one.
// A lexer for just that: it knows literals and comments, no tokens and no preprocessor conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncsniff::output {

struct Comment {
  size_t offset = 0, length = 0;  // markers included; no line ending for `//`
  bool alone = false;             // nothing but white space and comments on its lines
};

// In order of appearance. An unterminated block comment reaches to the end; an unterminated literal ends with its line.
std::vector<Comment> find_comments(std::string_view text);

}  // namespace syncsniff::output
