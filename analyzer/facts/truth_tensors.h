// Which tensors hold truth values. Used as an index, such a tensor selects elements, and only the GPU knows how many.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/writes.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

class TruthTensors {
 public:
  TruthTensors(const ApiTable& apis, const Writes& writes) : apis_(apis), writes_(writes) {}

  // As far as the unit shows: a comparison, a view of one, or a variable, field, parameter or function whose value is
  // one. `expr` must be a tensor.
  bool holds(const clang::Expr* expr, int depth = 0) const;
  // A tensor of truth values is in the list of indices, or is the only index.
  bool any_in(const clang::Expr* indices) const;

 private:
  bool ask_for_truth(const clang::Stmt* argument, int depth) const;
  bool of_operator(const clang::CXXOperatorCallExpr* op, int depth) const;
  bool of_call(const clang::CallExpr* call, int depth) const;
  bool of_result(const clang::FunctionDecl* function, int depth) const;
  bool of_variable(const clang::DeclRefExpr* reference, int depth) const;
  const clang::Expr* seen_through(const clang::CallExpr* call, const clang::FunctionDecl* callee) const;

  const ApiTable& apis_;
  const Writes& writes_;
};

}  // namespace syncsniff::facts
