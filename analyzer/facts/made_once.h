// if (buffer.size() == 0) buffer.allocate(n): the size is not zero any more, so that the branch runs once.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// `expr` is `positive` only while a number that another object keeps is zero, and `branch` sets it, itself or by a
// method of that object. A number that somebody counts down is none of these.
bool makes_once(const clang::Expr* expr, bool positive, const clang::Stmt* branch, const Writes& writes,
                const clang::ASTContext& context);

}  // namespace syncsniff::facts
