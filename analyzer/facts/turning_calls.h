// Flags and numbers that a branch turns once: if (threshold == 0) find_threshold(); where the called function writes
// the variable that the condition asks for.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// The write gives a variable that is 0 another value: a constant, or, of a number, what this unit computes of other
// values (`mode = fast ? 1 : 2`). What a call returns may be 0 again, as an error code is.
bool sets_for_good(const Write& write);

// The function gives the variable or field, which is 0, another value whenever it runs.
bool sets_whenever_run(const clang::FunctionDecl* function, const clang::ValueDecl* number, const Writes& writes,
                       const clang::ASTContext& context);

// The function that `branch` calls, for the same object, and that gives the variable or field named by `asked` another
// value whenever it runs. Null where there is none. `positive`: the branch runs where the variable is not 0.
const clang::FunctionDecl* turning_call(const clang::Expr* tested, bool positive, const clang::Stmt* branch,
                                        const Writes& writes, const clang::ASTContext& context);

}  // namespace syncsniff::facts
