// Branches that make something that was requested and missing. Says nothing of how often they run: lazy.h recognizes
// those that run once.
#pragma once

#include <clang/AST/Expr.h>

namespace syncsniff::facts {

// if (!stream.valid()) stream = create(): the branch replaces the object that its condition tests and that outlives the
// call. found = pool.find(n); if (!found) found = grow(n): the branch tries another way after a call failed. `holds`:
// the branch runs if the condition is true.
bool makes_what_was_missing(const clang::Expr* condition, bool holds, const clang::Stmt* branch);

}  // namespace syncsniff::facts
