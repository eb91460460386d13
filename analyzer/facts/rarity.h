// Conditions that hold in few iterations, judged by what the code does and not by names: counters that start over,
// single values of a counter, flags that the branch itself changes, clocks, functions whose answer is rare.
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

  // The gate on `branch` (null: the returned value), which runs when `condition` is `taken`. `after`: only the
  // statements after this one in the branch are gated.
  Guard of(const clang::Expr* condition, bool taken, const clang::Stmt* branch, const clang::Stmt* after,
           const clang::FunctionDecl* function, const std::vector<LoopAround>& loops) const;
  // The gate on `branch`, which sets a flag so that `around`, the condition of an enclosing statement, no longer has
  // the value `taken` that it has now.
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
  bool awaits_all(const clang::ValueDecl* counter, const Scene& scene) const;
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
  // The region of the outermost enclosing loop that the variable outlives.
  int outlived(const clang::ValueDecl* decl, const Scene& scene) const;

  const clang::ASTContext& context_;
  const ApiTable& apis_;
  const Writes& writes_;
};

// conjunction(): both conditions must hold, so the rarer gate counts. either(): one suffices, so the more frequent gate
// counts, or none.
Guard conjunction(const Guard& a, const Guard& b);
Guard either(const Guard& a, const Guard& b);

}  // namespace syncsniff::facts
