// Conditions on a parameter, where a call with a constant argument runs some branches and not others. The same for
// fields of the object that its construction sets to constants.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// The tests of parameters of `function` that pass when the branch for a true (`taken`) or false `condition` runs: `if
// (flag)`, `mode == kCopy && n > 0`. Parameters that the function writes are left out.
List<ParameterTests> parameter_tests(const clang::Expr* condition, bool taken, const clang::FunctionDecl* function,
                                     const Writes& writes, const clang::ASTContext& context);

// The argument of a call if it is a constant whole number, or 0 for a null pointer.
std::optional<long long> constant_argument(const clang::Expr* arg, const clang::ASTContext& context);
// The parameter's value in a call that leaves it out; kNotConstant if it has no constant default argument.
long long default_constant(const clang::ParmVarDecl* parameter, const clang::ASTContext& context);

// The same for the statements after `case label:` in `switch (switched)`.
List<ParameterTests> parameter_tests(const clang::Expr* switched, const clang::Expr* label,
                                     const clang::FunctionDecl* function, const Writes& writes,
                                     const clang::ASTContext& context);

}  // namespace syncsniff::facts
