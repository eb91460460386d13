// Variables of outside a loop that each iteration gives a value of its own before it reads them.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

// float* part; for (...) { part = all + i * n; use(part); }: on every way through the body the variable is assigned to
// before anything else names it. So no iteration sees what the one before has left there.
bool is_set_anew(const clang::Decl* variable, const clang::Stmt* body);

}  // namespace syncsniff::facts
