// Which LibTorch the unit is compiled against: what some calls do depends on it.
#pragma once

#include <clang/Lex/Preprocessor.h>

#include <string>

namespace syncsniff::facts {

// 100 * major + minor of the headers that the unit has included, by TORCH_VERSION_MAJOR and _MINOR; 0 where they do not
// say it.
int torch_version(const clang::Preprocessor& preprocessor);

// `version` is this one or a later one: is_since(206, "2.6"). One that is not known is taken for a recent one.
bool is_since(int version, const std::string& first);

}  // namespace syncsniff::facts
