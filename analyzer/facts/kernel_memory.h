// Which of a kernel's variables a place in memory is named through.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace syncsniff::facts {

// p of p[i], *(p + i), p->field, and of `p` itself; null where it is named through something else.
const clang::Decl* variable_of(const clang::Expr* place);

// p of p, p + i, &p[i]: the variable whose memory the address lies in.
const clang::Decl* pointed_into(const clang::Expr* address);

// The variables themselves and those that the body makes from them: float* row = x + n; row += m; T& cell = x[i];
std::set<const clang::Decl*> pointers_into(std::set<const clang::Decl*> variables, const clang::Stmt* body);

}  // namespace syncsniff::facts
