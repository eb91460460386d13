// Branches that run once because they make a size nonzero: if (buffer.size() == 0) buffer.allocate(n);
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

struct MadeOnce {
  const clang::ValueDecl* number = nullptr;  // null: the branch is not of this kind
  const clang::FunctionDecl* by = nullptr;   // the function that sets it
};

// For an `expr` that is `positive` only while a number in another object is zero, and a `branch` of `function` that
// sets this number, itself or through a method of that object. Whether other code sets it to zero again is decided when
// all units are known.
MadeOnce made_once(const clang::Expr* expr, bool positive, const clang::Stmt* branch,
                   const clang::FunctionDecl* function, const Writes& writes, const clang::ASTContext& context);

// Whether the write may make the number zero. A parameter's value, and results of additions and multiplications only,
// are taken for a size, which is not zero.
bool may_be_zero(const Write& write);

}  // namespace syncsniff::facts
