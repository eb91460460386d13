// Why a branch runs less often than what is around it: read from its condition and its first statements.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

struct Guard {
  Gate gate = Gate::kNone;
  long period = 0;
};

// The gate on the branch taken when `condition` is true (`taken`) or false.
Guard classify_guard(const clang::Expr* condition, bool taken, const clang::Stmt* branch,
                     const clang::ASTContext& context);

// The gate on what follows `if (condition) return;` in `block`.
Guard classify_rest(const clang::Expr* condition, const clang::Stmt* block, const clang::ASTContext& context);

}  // namespace syncsniff::facts
