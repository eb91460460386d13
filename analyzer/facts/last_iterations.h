// Conditions that hold in the last iterations of a loop alone: if (i + 1 == n), if (i < n - 1) continue.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace syncsniff::facts {

// i + 1 is i, shifted by 1; 3 is nothing, shifted by 3.
struct Shifted {
  const clang::Expr* base = nullptr;
  long by = 0;
};
Shifted shifted(const clang::Expr* expr, const clang::ASTContext& context);

// `counter` + `shift` compared with `bound`, in a for loop that counts it up, is true in the last few iterations only.
bool holds_near_end(const clang::ValueDecl* counter, long shift, clang::BinaryOperatorKind op, const clang::Expr* bound,
                    const clang::Stmt* loop, const clang::ASTContext& context);

}  // namespace syncsniff::facts
