// Why a branch runs less often than what is around it, by what its condition names and its last statement does.
// rarity.h judges by what the code does with the named things.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// The gate on the branch taken when `condition` is true (`taken`) or false, with the loops around it, outermost first.
Guard classify_guard(const clang::Expr* condition, bool taken, const clang::Stmt* branch,
                     const std::vector<LoopAround>& loops, const Writes& writes, const clang::ASTContext& context);

// The number that a count must be above for the condition to hold, as in `queue.size() > 3`, `pending() == 4`; where
// that is not constant, one. 0 when the condition asks for no count.
long count_above(const clang::Expr* condition, bool taken, const clang::ASTContext& context);

// switch (step % 100) { case 0: ... }
Guard classify_switch(const clang::SwitchStmt* stmt, const Writes& writes, const clang::ASTContext& context);

bool leaves_loop(const clang::Stmt* stmt);
// Ends in a return of a constant that is not 0: in main(), the program has failed.
bool returns_failure(const clang::Stmt* stmt, const clang::ASTContext& context);

// The gate on what follows `if (condition) return;` in `block`.
Guard classify_rest(const clang::Expr* condition, const clang::Stmt* block, const std::vector<LoopAround>& loops,
                    const Writes& writes, const clang::ASTContext& context);

// The gate on what follows `if (x.is_cuda()) throw ...;` in `block`: it works on the CPU. Nothing else is learnt of a
// check that throws.
Guard classify_checked(const clang::IfStmt* check, const clang::Stmt* block, const clang::ASTContext& context);

}  // namespace syncsniff::facts
