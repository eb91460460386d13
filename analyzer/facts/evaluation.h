// Code that evaluates and does not train: under an inference guard, or as in model->eval(); for (batch)
// model->forward(batch);
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace syncsniff::facts {

// torch::InferenceMode, or a NoGradGuard before a loop of its `block`.
bool is_inference_guard(const clang::VarDecl* var, const clang::CompoundStmt* block);

// Goes through the statements of one block, and tracks which modules are between their eval() and their train().
class EvaluationMode {
 public:
  // `block`: the one whose statements are given to pass(), in order. `in_loop`: the block is inside a loop.
  EvaluationMode(const clang::CompoundStmt* block, bool in_loop) : block_(block), in_loop_(in_loop) {}

  // The next statement is a loop that runs a module in evaluation mode and trains nothing.
  bool covers(const clang::Stmt* next) const;
  void pass(const clang::Stmt* statement);

 private:
  bool comes_back(const clang::Stmt* loop, const clang::ValueDecl* module) const;

  const clang::CompoundStmt* block_;
  bool in_loop_;
  std::set<const clang::ValueDecl*> evaluating_;
};

}  // namespace syncsniff::facts
