// Variables declared outside a loop that each iteration assigns before it reads them.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

// float* part; for (...) { part = all + i * n; use(part); }: on every path through the body the variable is assigned
// before anything else names it, so no iteration sees the value that the previous one left.
bool is_assigned_before_use(const clang::Decl* variable, const clang::Stmt* body);

}  // namespace syncsniff::facts
