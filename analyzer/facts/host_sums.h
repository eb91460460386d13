// What the host passes to a kernel or a function, as sums (sums.h): extents, addresses, strides. A variable that
// nothing writes later is replaced by its initial value; one that is written gets another symbol after each write.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/sums.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

class HostSums {
 public:
  // `call`: the one whose arguments are read. An object that the call may write has its old content until the call
  // runs.
  HostSums(const clang::ASTContext& context, const Writes& writes, const clang::FunctionDecl* function,
           const clang::CallExpr* call = nullptr)
      : context_(context), writes_(writes), function_(function), call_(call) {}
  Sum of(const clang::Expr* expr, int depth = 0) const;

 private:
  Sum of_variable(const clang::VarDecl* var, const clang::Expr* reader, int depth) const;
  Sum of_operator(const clang::BinaryOperator* op, int depth) const;
  Sum of_call(const clang::CallExpr* call, int depth) const;
  Sum as_written(const clang::Expr* expr) const;
  std::string object(const clang::Expr* expr, int depth) const;
  std::string written_before(const clang::ValueDecl* decl, const clang::Expr* reader) const;

  const clang::ASTContext& context_;
  const Writes& writes_;
  const clang::FunctionDecl* function_;
  const clang::CallExpr* call_;
};

// The size in bytes of what the pointer points to; 1 if unknown.
long long element_size(clang::QualType pointer, const clang::ASTContext& context);

}  // namespace syncsniff::facts
