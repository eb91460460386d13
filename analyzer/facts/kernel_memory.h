// Through which of a kernel's variables a place in memory is accessed.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <functional>
#include <set>

namespace syncsniff::facts {

// p for p[i], *(p + i), p->field, and `p` itself; null if it is accessed through something else.
const clang::Decl* variable_of(const clang::Expr* place);

// p for p, p + i, &p[i]: the variable whose memory contains the address.
const clang::Decl* pointed_into(const clang::Expr* address);

// An element of memory: p[i], *p.
bool names_element(const clang::Stmt* stmt);

// Adds to `names` the variables that the body derives from them, transitively: `makes(variable, value)` says whether a
// variable that is initialized with the value, or assigned it, belongs to them. It may look at `names`, which holds
// those found so far.
void add_made(std::set<const clang::Decl*>& names, const clang::Stmt* body,
              const std::function<bool(const clang::ValueDecl* variable, const clang::Expr* value)>& makes);

// The given variables and those that the body derives from them: float* row = x + n; row += m; T& cell = x[i];
std::set<const clang::Decl*> pointers_into(std::set<const clang::Decl*> variables, const clang::Stmt* body);

}  // namespace syncsniff::facts
