// Which LibTorch the unit is compiled against, since some calls behave differently between versions.
#pragma once

#include <clang/Lex/Preprocessor.h>

#include <string>

namespace syncsniff::facts {

// 100 * major + minor of the included headers, by TORCH_VERSION_MAJOR and _MINOR; 0 if they are not defined.
int torch_version(const clang::Preprocessor& preprocessor);

// Whether `version` is `first` or later: is_since(206, "2.6"). An unknown version counts as recent.
bool is_since(int version, const std::string& first);

}  // namespace syncsniff::facts
