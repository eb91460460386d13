#include "analyzer/facts/thread_index.h"

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/tree_steps.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepestIndex = 16;

}  // namespace

bool has_thread(const Sum& sum) { return has_kind(sum, kThread); }

ThreadIndex::ThreadIndex(const FunctionDecl* kernel, const ASTContext& context)
    : context_(context), steps_(tree_steps(kernel, context)) {
  find_assigned(kernel->getBody(), changed_);
  find_counters(kernel->getBody());
}

void ThreadIndex::find_counters(const Stmt* stmt) {
  if (!stmt) return;
  if (const auto* loop = dyn_cast<ForStmt>(stmt)) {
    const auto* init = dyn_cast_or_null<DeclStmt>(loop->getInit());
    const auto* var = init && init->isSingleDecl() ? dyn_cast<VarDecl>(init->getSingleDecl()) : nullptr;
    std::set<const VarDecl*> in_body;
    find_assigned(loop->getBody(), in_body);
    if (var && !in_body.count(var)) counters_.emplace(var, static_cast<int>(counters_.size()));
  }
  for (const Stmt* child : stmt->children()) find_counters(child);
}

std::optional<Sum> ThreadIndex::of_variable(const VarDecl* var, int depth) const {
  if (!var->getType().getNonReferenceType()->isIntegralOrEnumerationType()) return {};
  if (const auto step = steps_.find(var); step != steps_.end()) return sum_of(kTreeStep + std::to_string(step->second));
  if (const auto counter = counters_.find(var); counter != counters_.end()) {
    const auto first = var->getInit() ? of(var->getInit(), depth + 1) : std::nullopt;
    if (!first || has_thread(*first)) return {};
    return sum_of(kCounter + std::to_string(counter->second));
  }
  if (changed_.count(var)) return {};
  if (const auto* param = dyn_cast<ParmVarDecl>(var))
    return sum_of(parameter_symbol(static_cast<int>(param->getFunctionScopeIndex())));
  return var->isLocalVarDecl() && var->getInit() ? of(var->getInit(), depth + 1) : std::nullopt;
}

bool ThreadIndex::names_tree_step(const Stmt* stmt) const {
  if (!stmt) return false;
  if (const auto* reference = dyn_cast<DeclRefExpr>(stmt)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var && steps_.count(var);
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return names_tree_step(child); });
}

std::optional<Sum> ThreadIndex::of(const Expr* expr, int depth) const {
  if (!expr || depth > kDeepestIndex) return {};
  expr = unwrapped(expr);
  if (expr->isTypeDependent() || expr->isValueDependent()) return {};
  Expr::EvalResult constant;
  if (expr->getType()->isIntegralOrEnumerationType() && !expr->isGLValue() && expr->EvaluateAsInt(constant, context_))
    return sum_of(bits_of(constant.Val.getInt()));
  if (const std::string index = builtin_index(expr); !index.empty()) return sum_of(index);
  if (const auto* cast = dyn_cast<CastExpr>(expr)) {
    if (!cast->getType()->isIntegralOrEnumerationType()) return {};
    return of(cast->getSubExpr(), depth + 1);
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var ? of_variable(var, depth) : std::nullopt;
  }
  const auto* op = dyn_cast<BinaryOperator>(expr);
  if (!op || !(op->getOpcode() == BO_Add || op->getOpcode() == BO_Sub || op->getOpcode() == BO_Mul)) return {};
  const auto left = of(op->getLHS(), depth + 1), right = of(op->getRHS(), depth + 1);
  if (!left || !right) return {};
  if (op->getOpcode() == BO_Add) return *left + *right;
  return op->getOpcode() == BO_Sub ? *left - *right : *left * *right;
}

}  // namespace syncsniff::facts
