#include "analyzer/facts/evaluation.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const Decl* named_by(const Expr* expr) {
  expr = expr ? strip(expr) : nullptr;
  // model->eval() of a ModuleHolder: its operator-> gives the module.
  while (const auto* arrow = dyn_cast_or_null<CXXOperatorCallExpr>(expr)) {
    if (arrow->getOperator() != OO_Arrow && arrow->getOperator() != OO_Star) return nullptr;
    expr = strip(arrow->getArg(0));
  }
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(expr)) return named_by(unary->getSubExpr());
  if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr)) return reference->getDecl();
  if (const auto* member = dyn_cast_or_null<MemberExpr>(expr)) return member->getMemberDecl();
  return nullptr;
}

StringRef name_of(const CXXMemberCallExpr* call) {
  const auto* method = call->getMethodDecl();
  return method && method->getIdentifier() ? method->getName() : "";
}

enum class Mode { kNone, kEvaluation, kTraining };

Mode mode_set_by(const CXXMemberCallExpr* call) {
  const StringRef name = name_of(call);
  if (name == "eval") return call->getNumArgs() == 0 ? Mode::kEvaluation : Mode::kNone;
  if (name != "train") return Mode::kNone;
  const Expr* on = call->getNumArgs() != 0 ? strip(call->getArg(0)) : nullptr;
  const auto* literal = dyn_cast_or_null<CXXBoolLiteralExpr>(on);
  return literal && !literal->getValue() ? Mode::kEvaluation : Mode::kTraining;
}

const CXXMemberCallExpr* call_of(const Stmt* statement) {
  const auto* expr = dyn_cast_or_null<Expr>(statement);
  return expr ? dyn_cast<CXXMemberCallExpr>(strip(expr)) : nullptr;
}

template <class Visit>
void for_each_within(const Stmt* stmt, const Visit& visit) {
  if (!stmt) return;
  visit(stmt);
  for (const Stmt* child : stmt->children()) for_each_within(child, visit);
}

}  // namespace

// A NoGradGuard alone also stands in optimizers and helpers.
bool is_inference_guard(const VarDecl* var, const CompoundStmt* block) {
  const auto* record = var->getType().getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return false;
  if (record->getName() == "InferenceMode") return true;
  if (record->getName() != "NoGradGuard" || !block) return false;
  const auto* function = dyn_cast_or_null<FunctionDecl>(var->getParentFunctionOrMethod());
  const std::string name = function ? function->getDeclName().getAsString() : "";
  for (const char* updating : {"step", "update", "optim", "zero", "clip", "grad"}) {
    if (name.find(updating) != std::string::npos) return false;
  }
  for (const Stmt* stmt : block->body()) {
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt>(stmt)) return true;
  }
  return false;
}

bool EvaluationMode::comes_back(const Stmt* loop, const Decl* module) const {
  bool after = false;
  for (const Stmt* child : block_->body()) {
    const CXXMemberCallExpr* call = call_of(child);
    if (after && call && mode_set_by(call) == Mode::kTraining && named_by(call->getImplicitObjectArgument()) == module)
      return true;
    after |= child == loop;
  }
  return false;
}

bool EvaluationMode::covers(const Stmt* next) const {
  if (evaluating_.empty() || !isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(next)) return false;
  const Decl* used = nullptr;
  bool trains = false;
  for_each_within(next, [&](const Stmt* stmt) {
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt)) {
      const StringRef name = name_of(call);
      trains |= name == "backward" || name == "step" || name == "zero_grad" || mode_set_by(call) == Mode::kTraining;
    }
    const auto* reference = dyn_cast<DeclRefExpr>(stmt);
    const auto* member = dyn_cast<MemberExpr>(stmt);
    const Decl* decl = reference ? static_cast<const Decl*>(reference->getDecl())
                       : member  ? member->getMemberDecl()
                                 : nullptr;
    if (decl && evaluating_.count(decl)) used = decl;
  });
  return used && !trains && (in_loop_ || comes_back(next, used));
}

void EvaluationMode::pass(const Stmt* statement) {
  const CXXMemberCallExpr* call = call_of(statement);
  const Decl* module = call ? named_by(call->getImplicitObjectArgument()) : nullptr;
  if (!module) return;
  const Mode mode = mode_set_by(call);
  if (mode == Mode::kEvaluation) evaluating_.insert(module);
  if (mode == Mode::kTraining) evaluating_.erase(module);
}

}  // namespace syncsniff::facts
