// Branches that run until something is there: allocation on first use, growing, the best so far.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <regex>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"

namespace syncsniff::facts {

// One operand of a chain of && and ||, with the negations around it counted.
struct Term {
  const clang::Expr* expr;
  bool positive;
  bool conjunct;  // the branch needs it: every connective above is && (as seen from the branch)
};

// if (!ptr), if (ptr == NULL), if (!initialized), if (cache.count(key) == 0): `branch` then makes it. A condition that
// the branch leaves as it is, is none of these.
bool is_lazy(const Term& term, const clang::Stmt* branch, const std::vector<LoopAround>& loops,
             const clang::ASTContext& context);

// if (have < need) { ...; have = need; }: grows, and then no more. Or follows, as in if (have != need). With numbers
// that are no sizes, or downwards, it is the best so far: that may come more often.
Gate follows(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

// A variable or field in it has one of these words in its name: `val` is one of `val_loss` and `runVal`, not of
// `value`.
bool names(const clang::Expr* expr, const std::regex& words);

template <class F>
void for_each_expr(const clang::Stmt* stmt, const F& visit) {
  if (!stmt) return;
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(stmt)) visit(expr);
  for (const clang::Stmt* child : stmt->children()) for_each_expr(child, visit);
}

}  // namespace syncsniff::facts
