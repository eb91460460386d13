// The direction of a copy that is described by a struct: cudaMemcpy3D(&params), cuMemcpy2D(&copy).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace syncsniff::facts {

// The cudaMemcpyKind that the struct has, by `kind` (runtime) or by the two memory types (driver): the values that the
// function last assigned before the call, or the variable's initial values. Nothing if they are not constant, or if the
// argument is not the address of a variable.
std::optional<long long> copy_kind(const clang::Expr* descriptor, const clang::FunctionDecl* function,
                                   const clang::ASTContext& context);

}  // namespace syncsniff::facts
