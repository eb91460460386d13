// Why a branch runs less often than the code around it, by what its condition names and how its last statement leaves.
// rarity.h judges by what the code does with the named things.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/writes.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// The gate on the branch taken when `condition` is true (`taken`) or false. `loops` are those around it, outermost
// first.
Guard classify_guard(const clang::Expr* condition, bool taken, const clang::Stmt* branch,
                     const std::vector<LoopAround>& loops, const Writes& writes, const ApiTable& apis,
                     const clang::ASTContext& context);

// The number that a count must exceed for the condition to hold, as in `queue.size() > 3`, `pending() == 4`; 1 if it is
// not constant. 0 if the condition compares no count.
long count_above(const clang::Expr* condition, bool taken, const clang::ASTContext& context);

// switch (step % 100) { case 0: ... }
Guard classify_switch(const clang::SwitchStmt* stmt, const Writes& writes, const clang::ASTContext& context);

bool leaves_loop(const clang::Stmt* stmt);
// Whether control never gets past `stmt`: it has, outside of branches, a throw, or a call of exit(), abort() or another
// function that never returns, by its declaration or by its body. `depth`: of the bodies that are read. 0 outside of
// loops, where a function may do all the work of the program before it calls exit().
bool never_returns(const clang::Stmt* stmt, int depth);
inline constexpr int kBodiesRead = 3;
// Whether `stmt` ends in a return of 1, false or nullptr, by which the caller, or the shell, learns that the function
// has not done its work.
bool returns_failure(const clang::Stmt* stmt, const clang::ASTContext& context);

// The gate on the statements after `exit`, an `if (condition) return;` in `block`. If it returns a failure, the
// condition is a check, and only flags in it are names to go by.
Guard classify_rest(const clang::IfStmt* exit, const clang::Stmt* block, const std::vector<LoopAround>& loops,
                    const Writes& writes, const clang::ASTContext& context);

// The gate on the statements after `if (x.is_cuda()) throw ...;` in `block`: they work on the CPU. Other conditions of
// a check that throws give no gate.
Guard classify_checked(const clang::IfStmt* check, const clang::Stmt* block, const clang::ASTContext& context);

}  // namespace syncsniff::facts
