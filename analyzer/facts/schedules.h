// Work that is due at certain steps: while (!due.empty() && due.back() <= step) { ...; due.pop_back(); }, and
// if (step >= due[next]) { ...; ++next; }. It runs once for each entry, not in each step.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>

namespace syncsniff::facts {

// Whether `branch`, which runs if `condition` is `taken`, consumes the entry of a schedule that the condition compares
// with something else.
bool works_off_schedule(const clang::Expr* condition, bool taken, const clang::Stmt* branch);

// For if (step >= next) { ...; next += 100; }, if (time >= due) { ...; due += interval; } and step / 100 != last / 100:
// the number of steps until the condition holds again, 0 if it is not constant, nullopt for any other condition. An
// increment of one makes no schedule.
std::optional<long> steps_to_next(const clang::Expr* condition, bool taken, const clang::Stmt* branch,
                                  const clang::ASTContext& context);

}  // namespace syncsniff::facts
