// Elements of arrays in shared memory that a kernel accesses, and whether a thread of another warp may have written
// one.
#pragma once

#include <clang/AST/ASTContext.h>

#include <optional>
#include <vector>

#include "analyzer/facts/thread_index.h"

namespace syncsniff::facts {

struct SharedElement {
  const clang::VarDecl* array = nullptr;
  std::vector<Sum> index;  // one per dimension; empty for a plain variable
  bool known = false;      // every index is known
  bool own = false;        // each thread has one of its own
};

// For two elements of one array: `own` is each thread's own one, and `other` is the own one of a thread in another
// warp.
bool is_of_another_warp(const SharedElement& own, const SharedElement& other);

// Whether `other` is the own element of the thread with this threadIdx.x.
bool is_element_of_thread(const SharedElement& own, long long thread, const SharedElement& other);

class SharedElements {
 public:
  SharedElements(const clang::FunctionDecl* kernel, const clang::ASTContext& context)
      : context_(context), index_(kernel, context) {}
  // Nothing unless the expression names an element of a shared array by way of a plain variable.
  std::optional<SharedElement> of(const clang::Expr* expr) const;
  // The same for an element that is the same for all threads: `mean`, `sums[0]`.
  std::optional<SharedElement> common(const clang::Expr* expr) const;
  // if (threadIdx.x < 32): a comparison that differs between the threads of a block.
  bool may_choose_one_warp(const clang::Expr* condition) const;
  // if (threadIdx.x == 0), if (!t): true for one thread of a block, or of each of its rows.
  bool elects(const clang::Expr* condition) const;
  // if (threadIdx.x == 3): 3.
  std::optional<long long> chosen_thread(const clang::Expr* condition) const;

 private:
  std::optional<SharedElement> named(const clang::Expr* expr) const;

  const clang::ASTContext& context_;
  ThreadIndex index_;
};

}  // namespace syncsniff::facts
