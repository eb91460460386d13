// Branches that run once because a function that they call changes the variable of their condition: if (threshold == 0)
// find_threshold();
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// Whether the write gives a variable that is 0 another value: a constant or, for a number, what this unit computes from
// other values (`mode = fast ? 1 : 2`). The result of a call may be 0 again, as an error code is.
bool sets_for_good(const Write& write);

// Whether every run of the function gives the variable or field, which is 0, another value.
bool sets_whenever_run(const clang::FunctionDecl* function, const clang::ValueDecl* number, const Writes& writes,
                       const clang::ASTContext& context);

// The function that `branch` calls on the same object and that, whenever it runs, gives the variable or field named by
// `tested` another value. Null if there is none. `positive`: the branch runs if the variable is not 0.
const clang::FunctionDecl* turning_call(const clang::Expr* tested, bool positive, const clang::Stmt* branch,
                                        const Writes& writes, const clang::ASTContext& context);

}  // namespace syncsniff::facts
