// Calls that Clang could not resolve, since something in them has a type that is not in sight.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// The only function of the called name that takes so many arguments; null where there is none, or several.
const clang::FunctionDecl* callee_by_name(const clang::Expr* callee, unsigned arguments,
                                          const clang::ASTContext& context);

// What `&relu<float>` may name where Clang did not resolve it: functions that have a body in sight, instances of
// templates among them.
std::vector<const clang::FunctionDecl*> instances_of(const clang::OverloadExpr* overloads);

// The function that a call expression calls, by its name alone where overload resolution could not decide.
const clang::FunctionDecl* callee_of(const clang::CallExpr* call, const clang::ASTContext& context);

}  // namespace syncsniff::facts
