// The step of a reduction over a tree: a variable that only ever halves or doubles, and that reaches past a warp.
#pragma once

#include <clang/AST/ASTContext.h>

#include <map>

namespace syncsniff::facts {

// `int s = blockDim.x / 2; ...; s >>= 1`, `for (int s = 1; s < 256; s *= 2)`: each such variable of the kernel and a
// number of its own. One that stays below 32, or whose first value or bound nobody shows, is none.
std::map<const clang::VarDecl*, int> tree_steps(const clang::FunctionDecl* kernel, const clang::ASTContext& context);

}  // namespace syncsniff::facts
