// The value of an index in a kernel, as a sum (kernel_walk.h), for code that KernelWalk does not follow, such as the
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
  // Nothing if it is not known. Counters of loops that all threads execute alike are symbols of kCounter; steps that
  // halve or double are symbols of kTreeStep.
  std::optional<Sum> of(const clang::Expr* expr, int depth = 0) const;
  // Whether `stmt` contains the step of a tree reduction.
  bool names_tree_step(const clang::Stmt* stmt) const;

 private:
  std::optional<Sum> of_variable(const clang::VarDecl* var, int depth) const;
  void find_counters(const clang::Stmt* stmt);

  const clang::ASTContext& context_;
  std::set<const clang::VarDecl*> changed_;        // assigned after their initialization
  std::map<const clang::VarDecl*, int> counters_;  // changed by their loop's head alone
  std::map<const clang::VarDecl*, int> steps_;     // tree_steps.h
};

// A symbol used by ThreadIndex alone: the step of a tree reduction.
inline constexpr char kTreeStep = 'S';

bool has_thread(const Sum& sum);

}  // namespace syncsniff::facts
