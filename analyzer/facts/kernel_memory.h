// Which of a kernel's variables a place in memory is named through.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <functional>
#include <set>

namespace syncsniff::facts {

// p of p[i], *(p + i), p->field, and of `p` itself; null where it is named through something else.
const clang::Decl* variable_of(const clang::Expr* place);

// p of p, p + i, &p[i]: the variable whose memory the address lies in.
const clang::Decl* pointed_into(const clang::Expr* address);

// An element of memory: p[i], *p.
bool names_element(const clang::Stmt* stmt);

// The variables themselves and those that the body makes from them, step by step: `makes(variable, value)` says whether
// a variable that begins with the value, or is assigned it, is one. It may ask `names` for those found so far.
void add_made(std::set<const clang::Decl*>& names, const clang::Stmt* body,
              const std::function<bool(const clang::ValueDecl* variable, const clang::Expr* value)>& makes);

// The variables themselves and those that the body makes from them: float* row = x + n; row += m; T& cell = x[i];
std::set<const clang::Decl*> pointers_into(std::set<const clang::Decl*> variables, const clang::Stmt* body);

}  // namespace syncsniff::facts
