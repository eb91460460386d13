// Calls that the source does not spell out: a held module's forward, the passes of an autograd function, destructors.
#pragma once

#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// The class's own method of this name, not one that it inherits; null if there is none.
const clang::CXXMethodDecl* own_method_named(const clang::CXXRecordDecl* record, llvm::StringRef name);

// holder(x) runs the held module's forward(x); null for any other call.
const clang::FunctionDecl* held_forward(const clang::CallExpr* call);

// torch::autograd::Function<X>::apply(...) runs X::forward, and X::backward when backward() of a result runs.
struct AutogradPasses {
  const clang::FunctionDecl *forward = nullptr, *backward = nullptr;
};
AutogradPasses autograd_passes(const clang::FunctionDecl* callee);

// X::forward and X::backward of a class that derives from torch::autograd::Function<X>: only X::apply calls them.
bool is_autograd_pass(const clang::FunctionDecl* function);

// The user-written destructors that run at the end of the variables that `block` itself declares, in the order in which
// they run.
struct EndOfLife {
  const clang::VarDecl* variable;
  const clang::CXXDestructorDecl* destructor;
};
std::vector<EndOfLife> ends_of_life(const clang::CompoundStmt* block);

}  // namespace syncsniff::facts
