// Work that is due at certain steps: while (!due.empty() && due.back() <= step) { ...; due.pop_back(); }, and
// if (step >= due[next]) { ...; ++next; }. It runs once for each entry, not in each step.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace syncsniff::facts {

// Where `condition` is `taken`, `branch` works off the entry of a schedule that the condition compares with something
// else.
bool works_off_schedule(const clang::Expr* condition, bool taken, const clang::Stmt* branch);

}  // namespace syncsniff::facts
