// if (buffer.size() == 0) buffer.allocate(n): the size is not zero any more, so that the branch runs once.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

struct MadeOnce {
  const clang::ValueDecl* number = nullptr;  // null: the branch makes nothing once
  const clang::FunctionDecl* by = nullptr;   // the function that sets it
};

// `expr` is `positive` only while a number that another object keeps is zero, and `branch`, of `function`, sets it,
// itself or by a method of that object. Whether somebody makes it zero again is asked when all units are known.
MadeOnce made_once(const clang::Expr* expr, bool positive, const clang::Stmt* branch,
                   const clang::FunctionDecl* function, const Writes& writes, const clang::ASTContext& context);

// The write may make the number zero. What it is handed, and what is computed by adding and multiplying alone, is taken
// for a size, which is not.
bool may_be_zero(const Write& write);

}  // namespace syncsniff::facts
