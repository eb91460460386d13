// Names as words, for all who judge by what something is called.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::facts {

// The last part of a qualified name, or the head of a loop, in words: `Net::runVal` and `run_val` are both "run val".
std::string words_of(std::string_view name);

}  // namespace syncsniff::facts
