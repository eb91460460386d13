// Code that is handed over as a value: lambdas and their instances, modules, deleters, callables kept in containers.
#pragma once

#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// What a lambda's call may run: its body, or for a generic one each instance that the unit makes of it.
std::vector<const clang::FunctionDecl*> bodies_of(const clang::LambdaExpr* lambda);

// Those of the lambdas and functors that a view of the standard library, as std::views::transform() makes it, calls for
// each element. Empty for other types.
std::vector<const clang::FunctionDecl*> bodies_of_view(clang::QualType view, const clang::ASTContext& context);

// The forward of a module of LibTorch's kind, held by value, pointer or ModuleHolder; null for other types.
const clang::FunctionDecl* forward_of_module(clang::QualType type);

// Sequential::forward, AnyModule::forward: it calls those of the modules that it was made from.
bool is_forward_of_held(const clang::FunctionDecl* callee);

// The function that a unique_ptr's type, or the second argument of its construction, deletes with.
struct Deleter {
  const clang::FunctionDecl* by_type = nullptr;
  const clang::Expr* given = nullptr;
};
Deleter deleter_of(const clang::VarDecl* owner);

// registry(): the project's function that returns a reference to a container or a callable; a variable that is such a
// reference means the same. What is stored through it comes out of the next call. Null for others.
const clang::FunctionDecl* accessor_of(const clang::Expr* expr, const clang::ASTContext& context);

// The operator() of a class of the project, which has one and no template of it; null for other types and for lambdas.
const clang::FunctionDecl* functor_call(clang::QualType type, const clang::ASTContext& context);

// Holds callables: a vector, map or list whose elements they may be.
bool is_container(clang::QualType type);

}  // namespace syncsniff::facts
