// How many iterations a loop has and what it iterates over, if its head shows that.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

class Writes;

// ++i, i += 1, ++it. Chunks (`at += size`) and halving strides go through one buffer, not through a collection.
bool counts_by_one(const clang::Stmt* loop);

// for (int i = 0; i < PARTS - 1; ++i) where PARTS is 1.
bool never_begins(const clang::Stmt* loop, const clang::ASTContext& context);

// b - a for for (int i = a; i < b; ++i), where a and b are constants, or local variables that were set to one and are
// never written again. 0 if unknown. Without `writes`, variables count as unknown.
long constant_trips(const clang::Stmt* loop, const clang::ASTContext& context, const Writes* writes = nullptr);

// x.size(0), x.numel(), or a variable that was set to it: the size of a tensor, not a number of iterations.
bool is_dimension(const clang::Expr* expr);
// for (int i = 0; i < x.size(0); ++i): over such a dimension.
bool counts_dimension(const clang::Stmt* loop);

// for (n = 1024; n <= most; n *= 2), while (n > 1) { ...; n = n / 2; }: a sweep over sizes, or the passes of a
// reduction. It ends after some 60 iterations, however large the bound is.
bool multiplies(const clang::Stmt* loop, const clang::ASTContext& context);

// `rows` of for (auto it = rows.begin(); it != rows.end(); ++it) and for (p = first(rows); p != last(rows); ++p). Null
// for other loops.
const clang::Expr* iterated_object(const clang::Stmt* loop);

}  // namespace syncsniff::facts
