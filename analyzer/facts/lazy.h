// Branches that run until something exists: allocation on first use, growing, the best value so far.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <vector>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"

namespace syncsniff::facts {

// if (!ptr), if (ptr == NULL), if (cache.count(key) == 0), where `branch` then makes it. Not a condition that the
// branch does not change, nor one on a by-value parameter, whose change is lost when the call returns. `loops` are
// those around the branch.
bool is_lazy(const Term& term, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
             const clang::ASTContext& context);

// Whether the branch, or a function that it calls, may change the flag for good. A variable declared inside a loop
// around the branch does not count: it is initialized again in each iteration.
bool may_turn(const clang::Expr* flag, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
              const clang::ASTContext& context);

// The gate of if (have < need) { ...; have = need; }, a buffer that grows, so that the branch seldom runs, and of if
// (have != need), which follows a size. If the numbers are no sizes, or fall, the branch keeps the best value so far,
// which may run more often.
Gate follows(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

// Whether the branch gives up what it shares with others for its own, which nobody shares at first, so that it seldom
// runs: if (*sharers > 1) { sharers = new int(1); ... }
bool ends_sharing(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

}  // namespace syncsniff::facts
