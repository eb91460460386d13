// Conditions that hold in few iterations by what the code does, not by what it calls things: counters that start over,
// single values of a counter, flags that the branch itself turns, clocks, functions that answer so.
#pragma once

#include <set>
#include <vector>

#include "analyzer/facts/clocks.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/writes.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

class Rarity {
 public:
  Rarity(const clang::ASTContext& context, const ApiTable& apis, const Writes& writes)
      : context_(context), apis_(apis), writes_(writes) {}

  // The gate on `branch` (null: a value that is returned), which runs when `condition` is `taken`. `after`: only what
  // follows this statement in the branch is gated.
  Guard of(const clang::Expr* condition, bool taken, const clang::Stmt* branch, const clang::Stmt* after,
           const clang::FunctionDecl* function, const std::vector<LoopAround>& loops) const;
  // The gate on `branch`, which sets a flag such that `around`, a condition of what stands around it that is `taken`
  // now, holds no more.
  Guard ending(const clang::Expr* around, bool taken, const clang::Stmt* branch, const clang::FunctionDecl* function,
               const std::vector<LoopAround>& loops) const;

 private:
  struct Scene {
    const clang::Stmt* branch;
    const clang::Stmt* after;
    const clang::FunctionDecl* function;
    const std::vector<LoopAround>& loops;
  };
  Guard judge(const clang::Expr* expr, bool positive, const Scene& scene, int depth) const;
  Guard remainder(const clang::Expr* expr, bool positive, const Scene& scene) const;
  Guard changed(const clang::Expr* expr, bool positive, const Scene& scene) const;
  Guard counter(const clang::Expr* expr, bool positive, const Scene& scene) const;
  Guard starts_over(const clang::ValueDecl* counter, const clang::Expr* bound, clang::BinaryOperatorKind op,
                    const Scene& scene) const;
  Guard first_iterations(const clang::ValueDecl* counter, const clang::Expr* bound, clang::BinaryOperatorKind op,
                         const Scene& scene) const;
  Guard emptied(const clang::Expr* side, const clang::Expr* bound, clang::BinaryOperatorKind op,
                const Scene& scene) const;
  Guard moved_on(const clang::ValueDecl* next, const Scene& scene) const;
  Guard last_iterations(const clang::Expr* side, const clang::Expr* bound, clang::BinaryOperatorKind op,
                        const Scene& scene) const;
  Guard single_value(const clang::ValueDecl* counter, const clang::Expr* bound, const Scene& scene) const;
  Guard clock(const clang::Expr* expr, bool positive, const Scene& scene) const;
  Guard flag(const clang::Expr* expr, bool positive, const Scene& scene) const;
  Guard switched_off(const clang::ValueDecl* decl, bool positive) const;
  Guard begun_off(const clang::FieldDecl* field, bool positive) const;
  Guard turned_or_ending(const clang::Expr* tested, bool positive, const Scene& scene) const;
  Guard turned_flag(const clang::Expr* tested, bool positive, const Scene& scene) const;
  Guard ended(const clang::Expr* around, bool positive, const Scene& scene) const;
  Guard tested(const clang::Expr* expr, bool positive) const;

  bool in_branch(const clang::Stmt* stmt, const Scene& scene) const;
  bool is_straight_in(const clang::Stmt* stmt, const clang::Stmt* branch, const Scene& scene) const;
  bool counts(const clang::ValueDecl* decl, int direction) const;
  // The outermost loop around that a variable lives longer than.
  int outlived(const clang::ValueDecl* decl, const Scene& scene) const;

  const clang::ASTContext& context_;
  const ApiTable& apis_;
  const Writes& writes_;
};

// Both must hold: the rarer one counts. Either may hold: the more frequent one, or none.
Guard conjunction(const Guard& a, const Guard& b);
Guard either(const Guard& a, const Guard& b);

}  // namespace syncsniff::facts
