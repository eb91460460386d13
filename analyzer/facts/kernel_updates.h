// Which of its arrays a kernel updates: it reads there what an earlier launch has left.
#pragma once

#include <clang/AST/Decl.h>

namespace syncsniff::facts {

enum class Update {
  kNone,
  kSum,     // only h[i] += x: the order in which launches add their terms does not matter
  kGoesOn,  // any other change of the old content
};

// How the kernel uses the old content of this parameter's memory, other than by atomics: in its body, through pointers
// derived from the parameter, or in functions of the project that it passes them to.
Update update_of(const clang::FunctionDecl* kernel, unsigned parameter);

}  // namespace syncsniff::facts
