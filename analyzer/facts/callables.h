// Code that is passed on as a value: lambdas and their instances, modules, deleters, callables kept in containers.
#pragma once

#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// The functions that calling a lambda may run: its body, or each instance of a generic lambda that the unit makes.
std::vector<const clang::FunctionDecl*> bodies_of(const clang::LambdaExpr* lambda);

// The bodies of the lambdas and functors that a view of the standard library, as std::views::transform() makes it,
// calls for each element. Empty for other types.
std::vector<const clang::FunctionDecl*> bodies_of_view(clang::QualType view, const clang::ASTContext& context);

// The forward of a module of LibTorch's kind, held by value, pointer or ModuleHolder; null for other types.
const clang::FunctionDecl* forward_of_module(clang::QualType type);

// Sequential::forward, AnyModule::forward: they call the forward of each module that they were made from.
bool is_forward_of_held(const clang::FunctionDecl* callee);

// The function with which a unique_ptr deletes: by its type, or by the second argument of its construction.
struct Deleter {
  const clang::FunctionDecl* by_type = nullptr;
  const clang::Expr* given = nullptr;
};
Deleter deleter_of(const clang::VarDecl* owner);

// For registry(): the project's function that returns a reference to a container or a callable, also through a variable
// that is such a reference. What is stored through it comes out of the next call. Null for others.
const clang::FunctionDecl* accessor_of(const clang::Expr* expr, const clang::ASTContext& context);

// The operator() of a class of the project, if it has exactly one and no template of one; null for other types and for
// lambdas.
const clang::FunctionDecl* functor_call(clang::QualType type, const clang::ASTContext& context);

// push_back, emplace and the other methods of containers whose last argument becomes an element.
bool stores_element(llvm::StringRef method);

// A vector, map or list whose elements may be callables.
bool is_container(clang::QualType type);

}  // namespace syncsniff::facts
