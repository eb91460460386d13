// Elements that a function takes by turns, another one at each call: slots[turn_++ % n].
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

// The expression names such an element, or a part of one, itself or through local references and copies: the index is
// a field, a global or a static variable that `body` gives another value.
bool picked_by_turns(const clang::Expr* expr, const clang::Stmt* body);

}  // namespace syncsniff::facts
