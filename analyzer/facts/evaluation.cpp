#include "analyzer/facts/evaluation.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// The variable or field that holds the module whose method is called. For a ModuleHolder, `model->eval()` uses its
// operator->.
const ValueDecl* module_of(const CXXMemberCallExpr* call) {
  const Expr* object = strip(call->getImplicitObjectArgument());
  while (object) {
    const auto* op = dyn_cast<CXXOperatorCallExpr>(object);
    const auto* unary = dyn_cast<UnaryOperator>(object);
    if (op && (op->getOperator() == OO_Arrow || op->getOperator() == OO_Star))
      object = strip(op->getArg(0));
    else if (unary)
      object = strip(unary->getSubExpr());
    else
      break;
  }
  return named_decl(object);
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

}  // namespace

// A NoGradGuard alone does not show evaluation: optimizers and helpers have one, too.
bool is_inference_guard(const VarDecl* var, const CompoundStmt* block) {
  const auto* record = var->getType().getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return false;
  if (record->getName() == "InferenceMode") return true;
  if (record->getName() != "NoGradGuard" || !block) return false;
  for (const Stmt* stmt : block->body()) {
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt>(stmt)) return true;
  }
  return false;
}

bool EvaluationMode::comes_back(const Stmt* loop, const ValueDecl* module) const {
  bool after = false;
  for (const Stmt* child : block_->body()) {
    const CXXMemberCallExpr* call = call_of(child);
    if (after && call && mode_set_by(call) == Mode::kTraining && module_of(call) == module) return true;
    after |= child == loop;
  }
  return false;
}

bool EvaluationMode::covers(const Stmt* next) const {
  if (evaluating_.empty() || !isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(next)) return false;
  const ValueDecl* used = nullptr;
  bool trains = false;
  for_each_expr(next, [&](const Expr* expr) {
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(expr)) {
      const StringRef name = name_of(call);
      trains |= name == "backward" || name == "step" || name == "zero_grad" || mode_set_by(call) == Mode::kTraining;
    }
    if (const ValueDecl* decl = named_decl(expr); decl && evaluating_.count(decl)) used = decl;
  });
  return used && !trains && (in_loop_ || comes_back(next, used));
}

void EvaluationMode::pass(const Stmt* statement) {
  const CXXMemberCallExpr* call = call_of(statement);
  const ValueDecl* module = call ? module_of(call) : nullptr;
  if (!module) return;
  const Mode mode = mode_set_by(call);
  if (mode == Mode::kEvaluation) evaluating_.insert(module);
  if (mode == Mode::kTraining) evaluating_.erase(module);
}

}  // namespace syncsniff::facts
