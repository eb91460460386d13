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

// The branch, or what it calls, may give the variable or field another value, which then stays: one that begins anew in
// each iteration of a loop around does not.
bool may_turn(const clang::Expr* flag, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
              const clang::ASTContext& context);

// if (have < need) { ...; have = need; }: grows, and then no more. Or follows, as in if (have != need). With numbers
// that are no sizes, or downwards, it is the best so far: that may come more often.
Gate follows(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

}  // namespace syncsniff::facts
