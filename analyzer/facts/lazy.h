// Branches that run until something is there: allocation on first use, growing, the best so far.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <vector>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"

namespace syncsniff::facts {

// if (!ptr), if (ptr == NULL), if (cache.count(key) == 0): `branch` then makes it. A condition that the branch leaves
// as it is, is none of these, nor one on what a call was handed: that is gone with the call. `loops` are those around.
bool is_lazy(const Term& term, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
             const clang::ASTContext& context);

// Whether the branch, or what it calls, may change the flag for good. A variable that is declared inside a loop around
// it does not count: it starts again in each iteration.
bool may_turn(const clang::Expr* flag, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
              const clang::ASTContext& context);

// if (have < need) { ...; have = need; }: a buffer that grows, so that the branch seldom runs. if (have != need): one
// that follows a size. Where the numbers are no sizes, or fall, the branch asks for the best so far, which may come
// more often.
Gate follows(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

}  // namespace syncsniff::facts
