// Conditions on a parameter: a call that gives it a constant runs some branches and not others. The same of fields of
// the object, where a construction leaves them constant.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// What the branch taken where `condition` is true (`taken`) or false asks of the parameters of `function`: `if (flag)`,
// `mode == kCopy && n > 0`. A parameter that the function writes is not asked.
List<ParameterTests> parameter_tests(const clang::Expr* condition, bool taken, const clang::FunctionDecl* function,
                                     const Writes& writes, const clang::ASTContext& context);

// What a call gives for a parameter where that is a whole number, or 0 for a null pointer.
std::optional<long long> constant_argument(const clang::Expr* arg, const clang::ASTContext& context);
// What the parameter is where a call leaves it out; kNotConstant where it has no such default argument.
long long default_constant(const clang::ParmVarDecl* parameter, const clang::ASTContext& context);

// The same of what stands behind `case label:` in `switch (switched)`.
List<ParameterTests> parameter_tests(const clang::Expr* switched, const clang::Expr* label,
                                     const clang::FunctionDecl* function, const Writes& writes,
                                     const clang::ASTContext& context);

}  // namespace syncsniff::facts
