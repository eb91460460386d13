// Names split into words, for code that judges by names.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::facts {

// `run` of `Net::run`.
std::string last_name(std::string_view name);
// `Net` of `Net::run`; empty if the name has no `::`.
std::string_view class_part(std::string_view name);
// Whether it is a destructor's name.
bool names_destructor(std::string_view name);

// LibTorch's own functions and classes, by their qualified names.
bool is_of_libtorch(std::string_view name);

// Words are separated by everything but letters and digits, and by a capital letter after a small one.
std::string words_of_text(std::string_view text);

// The last part of a qualified name in words: `Net::runVal` and `run_val` are both "run val".
std::string words_of(std::string_view name);

}  // namespace syncsniff::facts
