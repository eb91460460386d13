// The direction of a copy that takes all it does from a struct: cudaMemcpy3D(&params), cuMemcpy2D(&copy).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace syncsniff::facts {

// The value of cudaMemcpyKind that the struct names, by `kind` (runtime) or by the two memory types (driver), as the
// function last set them before the call, or as the variable begins. Nothing where that is not a constant, or the
// argument is not the address of a variable.
std::optional<long long> copy_kind(const clang::Expr* descriptor, const clang::FunctionDecl* function,
                                   const clang::ASTContext& context);

}  // namespace syncsniff::facts
