// Pieces of a condition, for both who judge one: guards.h by what it names, rarity.h by what the code does with that.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// One operand of a chain of && and ||, with the negations around it counted.
struct Term {
  const clang::Expr* expr;
  bool positive;
  bool conjunct;  // the branch needs it: every connective above is && (as seen from the branch)
};

// `once_in`: see Guard.
Guard gated(Gate gate, long period = 0, int once_in = -1);

// The 64 bits of an evaluated constant. ULLONG_MAX, which no signed number holds, is -1, as a comparison of bits has
// it.
inline long bits_of(const llvm::APSInt& number) {
  return static_cast<long>(number.getBitWidth() > 64 ? number.trunc(64).getZExtValue()
                                                     : static_cast<uint64_t>(number.extend(64).getSExtValue()));
}

std::optional<long> constant_integer(const clang::Expr* expr, const clang::ASTContext& context);
// n of `step % n`: a constant, or what a global variable, a static member or a field begins with, which is the
// program's default. 0 where nothing of that kind tells.
long period_of(const clang::Expr* divisor, const clang::ASTContext& context);
std::optional<bool> constant_truth(const clang::Expr* condition, const clang::ASTContext& context);

// a > b in any of its spellings, with the greater side first; {null, null} for what is no such comparison.
struct Comparison {
  const clang::Expr* greater = nullptr;
  const clang::Expr* smaller = nullptr;
};
Comparison compared(const clang::Expr* expr, bool positive);

// a == b and a != b, as the language, an operator of the class, or the compiler from another operator writes it.
struct Equality {
  const clang::Expr *left, *right;
  bool equal;
};
std::optional<Equality> equality(const clang::Expr* expr);

// nullptr, NULL, C's ((void*)0), or a 0 beside the pointer `other`.
bool is_null(const clang::Expr* expr, const clang::Expr* other, const clang::ASTContext& context);

// The smart pointer or optional that is empty where the term is as it is: !held, held == nullptr. Null for anything
// else.
const clang::Expr* empty_holder(const Term& term);

// The operation that has one certain result where `expr` is `positive`: !(a % n), a % n == c. Null for anything else,
// and where `a` is the size of a tensor: that is no number of iterations done.
const clang::BinaryOperator* equals_certain_result(const clang::Expr* expr, bool positive);

// The names of the variables, fields and functions in it, in words: `net.runVal` is "net run val".
std::string words_in(const clang::Expr* expr);

// The statement itself and all that stands in it, outermost first.
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
