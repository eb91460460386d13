// The step of a tree reduction: a variable that only halves or doubles, and that exceeds a warp.
#pragma once

#include <clang/AST/ASTContext.h>

#include <map>

namespace syncsniff::facts {

// `int s = blockDim.x / 2; ...; s >>= 1`, `for (int s = 1; s < 256; s *= 2)`: each such variable of the kernel, with a
// number of its own. A variable that stays below 32, or whose first value or bound is unknown, is left out.
std::map<const clang::VarDecl*, int> tree_steps(const clang::FunctionDecl* kernel, const clang::ASTContext& context);

}  // namespace syncsniff::facts
