// The tokens of a source without its preprocessing, and what the tokens around a name tell of what it names.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string_view>
#include <vector>

#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {

struct UseToken {
  std::string_view text;  // views into the source
  bool is_name = false;   // keywords too
};

// `source` ends with a zero byte, as Clang's buffers do, and outlives the tokens.
std::vector<UseToken> use_tokens(llvm::StringRef source);

// Foo<int, Bar<3>> at `open`: the token behind the last bracket. The number of tokens where it is a comparison.
size_t after_arguments(const std::vector<UseToken>& tokens, size_t open);

// Of the (qualified) name whose tokens are [begin, end): adds to `name` what this use needs it to be.
void classify_use(UnknownName& name, const std::vector<UseToken>& tokens, size_t begin, size_t end);

}  // namespace syncsniff::facts
