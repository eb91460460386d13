// Elements that a function takes in turn, another one at each call: slots[turn_++ % n].
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

// The expression names such an element, or a part of one, directly or through local references and copies: the index is
// a field, a global or a static variable that `body` changes.
bool picked_by_turns(const clang::Expr* expr, const clang::Stmt* body);

}  // namespace syncsniff::facts
