// Which of its arrays a kernel goes on from: what one launch leaves there, the next one reads.
#pragma once

#include <clang/AST/Decl.h>

namespace syncsniff::facts {

enum class Update {
  kNone,
  kSum,     // only h[i] += x: in which order launches add their terms does not matter
  kGoesOn,  // any other change of what is there
};

// What the kernel does with what it finds in the memory of this parameter, other than by atomics: in its body, through
// pointers that it makes from the parameter, or in the project's functions that it gives them to.
Update update_of(const clang::FunctionDecl* kernel, unsigned parameter);

}  // namespace syncsniff::facts
