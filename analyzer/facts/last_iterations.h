// Conditions that hold only in the last iterations of a loop: if (i + 1 == n), if (i < n - 1) continue.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace syncsniff::facts {

// An expression split into a base and a constant: i + 1 is i, shifted by 1; 3 has no base and is shifted by 3.
struct Shifted {
  const clang::Expr* base = nullptr;
  long by = 0;
};
Shifted shifted(const clang::Expr* expr, const clang::ASTContext& context);

// Whether comparing `counter` + `shift` with `bound` is true only in the last few iterations of `loop`, a for loop that
// counts it up.
bool holds_near_end(const clang::ValueDecl* counter, long shift, clang::BinaryOperatorKind op, const clang::Expr* bound,
                    const clang::Stmt* loop, const clang::ASTContext& context);

}  // namespace syncsniff::facts
