// What an index is worth in a kernel, as a sum (kernel_walk.h): for code that KernelWalk does not follow, such as the
// use of shared memory.
#pragma once

#include <clang/AST/ASTContext.h>

#include <map>
#include <optional>
#include <set>

#include "analyzer/facts/kernel_walk.h"

namespace syncsniff::facts {

class ThreadIndex {
 public:
  ThreadIndex(const clang::FunctionDecl* kernel, const clang::ASTContext& context);
  // Nothing where it is not known. Counters of loops that all threads go through alike are symbols of kCounter, steps
  // that halve or double are symbols of kTreeStep.
  std::optional<Sum> of(const clang::Expr* expr, int depth = 0) const;
  // Whether the step of a reduction over a tree stands in it.
  bool names_tree_step(const clang::Stmt* stmt) const;

 private:
  std::optional<Sum> of_variable(const clang::VarDecl* var, int depth) const;
  void find_counters(const clang::Stmt* stmt);

  const clang::ASTContext& context_;
  std::set<const clang::VarDecl*> changed_;        // assigned to after they begin
  std::map<const clang::VarDecl*, int> counters_;  // counted by their loop's head alone
  std::map<const clang::VarDecl*, int> steps_;     // tree_steps.h
};

// A symbol of ThreadIndex alone: the step of a reduction over a tree.
inline constexpr char kTreeStep = 'S';

bool has_thread(const Sum& sum);

}  // namespace syncsniff::facts
