// Calls that Clang could not resolve, because something in them has a type that is not declared in the unit.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <string>
#include <vector>

namespace syncsniff::facts {

// The only function of the called name that accepts this number of arguments; null if there is none, or several.
const clang::FunctionDecl* callee_by_name(const clang::Expr* callee, unsigned arguments,
                                          const clang::ASTContext& context);

// The tensor of which an operation is called that this version of LibTorch does not accept, as x of x.index(mask), and
// the operation's full name; null for any other call.
struct UnacceptedOperation {
  const clang::Expr* tensor = nullptr;
  std::string name;
};
UnacceptedOperation unaccepted_operation(const clang::RecoveryExpr* call);

// The functions that `&relu<float>` may name if Clang did not resolve it: those with a visible body, including template
// instances.
std::vector<const clang::FunctionDecl*> instances_of(const clang::OverloadExpr* overloads);

// The function that a call expression calls; by its name alone if overload resolution could not decide.
const clang::FunctionDecl* callee_of(const clang::CallExpr* call, const clang::ASTContext& context);

}  // namespace syncsniff::facts
