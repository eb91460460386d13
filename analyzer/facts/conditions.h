// Takes conditions apart, for guards.h, which judges by what a condition names, and rarity.h, which judges by what the
// code does with the named things.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// One operand of a chain of && and ||. `positive` is false under an odd number of negations.
struct Term {
  const clang::Expr* expr;
  bool positive;
  bool conjunct;  // the branch runs only if it holds: every connective above is && (as seen from the branch)
};

// `once_in`: see Guard.
Guard gated(Gate gate, long period = 0, int once_in = -1);

// The 64 bits of an evaluated constant. ULLONG_MAX, which no signed type holds, becomes -1, as when the bits are
// compared.
inline long bits_of(const llvm::APSInt& number) {
  return static_cast<long>(number.getBitWidth() > 64 ? number.trunc(64).getZExtValue()
                                                     : static_cast<uint64_t>(number.extend(64).getSExtValue()));
}

std::optional<long> constant_integer(const clang::Expr* expr, const clang::ASTContext& context);
// n of `step % n`: a constant, or the initial value of a global variable, a static member or a field, which is the
// program's default. 0 if n is none of these.
long period_of(const clang::Expr* divisor, const clang::ASTContext& context);
std::optional<bool> constant_truth(const clang::Expr* condition, const clang::ASTContext& context);

// a > b in any spelling, the greater side first; {null, null} if `expr` is no such comparison.
struct Comparison {
  const clang::Expr* greater = nullptr;
  const clang::Expr* smaller = nullptr;
};
Comparison compared(const clang::Expr* expr, bool positive);

// a == b and a != b, by the built-in operator, an operator of the class, or one that the compiler derives from another
// operator.
struct Equality {
  const clang::Expr *left, *right;
  bool equal;
};
std::optional<Equality> equality(const clang::Expr* expr);

// flag == true, 0 != flag, compared by the built-in operator: `flag` must be `value` for the comparison to hold.
struct FlagTest {
  const clang::Expr* flag;
  bool value;
};
std::optional<FlagTest> flag_test(const clang::Expr* expr, const clang::ASTContext& context);

// nullptr, NULL, C's ((void*)0), or a 0 beside the pointer `other`.
bool is_null(const clang::Expr* expr, const clang::Expr* other, const clang::ASTContext& context);

// The smart pointer or optional that is empty when the term holds: !held, held == nullptr. Null for anything else.
const clang::Expr* empty_holder(const Term& term);

// The operation that must have one certain result if `expr` is `positive`: !(a % n), a % n == c. Null for anything
// else, and if `a` is the size of a tensor, which does not count iterations.
const clang::BinaryOperator* equals_certain_result(const clang::Expr* expr, bool positive);

// The names of the variables, fields and functions in `expr`, in words: `net.runVal` is "net run val".
std::string words_in(const clang::Expr* expr);

// Visits the statement itself and all statements in it, outermost first.
template <class F>
void for_each_stmt(const clang::Stmt* stmt, const F& visit) {
  if (!stmt) return;
  visit(stmt);
  for (const clang::Stmt* child : stmt->children()) for_each_stmt(child, visit);
}

template <class F>
void for_each_expr(const clang::Stmt* stmt, const F& visit) {
  for_each_stmt(stmt, [&](const clang::Stmt* each) {
    if (const auto* expr = llvm::dyn_cast<clang::Expr>(each)) visit(expr);
  });
}

}  // namespace syncsniff::facts
