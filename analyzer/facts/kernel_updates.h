// Which of its arrays a kernel goes on from: what one launch leaves there, the next one reads.
#pragma once

#include <clang/AST/Decl.h>

namespace syncsniff::facts {

// The kernel reads and stores through this parameter, other than by atomics: in its body, through pointers that it
// makes from the parameter, or in the project's functions that it gives them to.
bool goes_on_from(const clang::FunctionDecl* kernel, unsigned parameter);

}  // namespace syncsniff::facts
