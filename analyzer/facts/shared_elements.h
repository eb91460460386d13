// Elements of arrays in shared memory that a kernel names, and whether another warp's thread may have written one.
#pragma once

#include <clang/AST/ASTContext.h>

#include <optional>
#include <vector>

#include "analyzer/facts/thread_index.h"

namespace syncsniff::facts {

struct SharedElement {
  const clang::VarDecl* array = nullptr;
  std::vector<Sum> index;  // one a dimension; none of a plain variable
  bool known = false;      // every index is
  bool own = false;        // each thread has one of its own
};

// Of two elements of one array: the first is each thread's own, the second one that another warp's thread owns.
bool is_of_another_warp(const SharedElement& own, const SharedElement& other);

// What is each thread's own is `other` for the one with this threadIdx.x.
bool is_element_of_thread(const SharedElement& own, long long thread, const SharedElement& other);

class SharedElements {
 public:
  SharedElements(const clang::FunctionDecl* kernel, const clang::ASTContext& context)
      : context_(context), index_(kernel, context) {}
  // Nothing where the expression names no element of a shared array that a plain variable holds.
  std::optional<SharedElement> of(const clang::Expr* expr) const;
  // The same for what all threads name alike: `mean`, `sums[0]`.
  std::optional<SharedElement> common(const clang::Expr* expr) const;
  // if (threadIdx.x < 32): a comparison that tells the threads of a block apart.
  bool may_choose_one_warp(const clang::Expr* condition) const;
  // if (threadIdx.x == 0), if (!t): one thread of a block, or of each of its rows.
  bool elects(const clang::Expr* condition) const;
  // if (threadIdx.x == 3): 3.
  std::optional<long long> chosen_thread(const clang::Expr* condition) const;

 private:
  std::optional<SharedElement> named(const clang::Expr* expr) const;

  const clang::ASTContext& context_;
  ThreadIndex index_;
};

}  // namespace syncsniff::facts
