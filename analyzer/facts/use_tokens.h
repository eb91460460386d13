// The tokens of a source without preprocessing, and what the tokens around a name say about the thing that it names.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string_view>
#include <vector>

#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {

struct UseToken {
  std::string_view text;  // views into the source
  bool is_name = false;   // true for keywords, too
};

// `source` must end with a zero byte, as Clang's buffers do, and outlive the tokens.
std::vector<UseToken> use_tokens(llvm::StringRef source);

// For Foo<int, Bar<3>> with its bracket at `open`: the index of the token after the last bracket. The number of tokens
// if the bracket is a comparison.
size_t after_arguments(const std::vector<UseToken>& tokens, size_t open);

// For the (qualified) name with the tokens [begin, end): adds to `name` what this use requires it to be.
void classify_use(UnknownName& name, const std::vector<UseToken>& tokens, size_t begin, size_t end);

}  // namespace syncsniff::facts
