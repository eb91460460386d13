// Branches that make what was asked for and was not there. Says nothing of how often: lazy.h has those that run once.
#pragma once

#include <clang/AST/Expr.h>

namespace syncsniff::facts {

// if (!stream.valid()) stream = create(): the branch replaces the object that its condition asks, and that outlives the
// call. found = pool.find(n); if (!found) found = grow(n): it tries another way where a call had failed. `holds`: the
// branch is taken where the condition holds.
bool makes_what_was_missing(const clang::Expr* condition, bool holds, const clang::Stmt* branch);

}  // namespace syncsniff::facts
