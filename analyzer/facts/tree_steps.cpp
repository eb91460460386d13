#include "analyzer/facts/tree_steps.h"

#include <clang/AST/Expr.h>

#include <set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/kernel_walk.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const VarDecl* variable(const Expr* expr) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr ? expr->IgnoreParenImpCasts() : nullptr);
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

class TreeSteps {
 public:
  explicit TreeSteps(const ASTContext& context) : context_(context) {}

  void look_at(const Stmt* stmt) {
    if (!stmt) return;
    const auto* op = dyn_cast<BinaryOperator>(stmt);
    if (const VarDecl* var = op && op->isAssignmentOp() ? variable(op->getLHS()) : nullptr) {
      if (is_step(op, var))
        steps_.insert(var);
      else
        others_.insert(var);
    }
    const auto* unary = dyn_cast<UnaryOperator>(stmt);
    if (unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)) {
      if (const VarDecl* var = variable(unary->getSubExpr())) others_.insert(var);
    }
    if (op && (op->getOpcode() == BO_LT || op->getOpcode() == BO_LE)) {
      if (const VarDecl* var = variable(op->getLHS()); var && reaches_past_warp(op->getRHS(), 0)) bounded_.insert(var);
    }
    for (const Stmt* child : stmt->children()) look_at(child);
  }

  std::map<const VarDecl*, int> found() const {
    std::map<const VarDecl*, int> out;
    for (const VarDecl* var : steps_) {
      if (others_.count(var) || !var->getInit() || depends_on_thread(var->getInit())) continue;
      if (bounded_.count(var) || reaches_past_warp(var->getInit(), 0)) out.emplace(var, static_cast<int>(out.size()));
    }
    return out;
  }

 private:
  // s /= 2, s >>= 1, s *= 2, s <<= 1, and the same as s = s / 2.
  bool is_step(const BinaryOperator* op, const VarDecl* var) const {
    const auto by = [&](BinaryOperatorKind kind, const Expr* amount) {
      const bool shift = kind == BO_Shr || kind == BO_Shl || kind == BO_ShrAssign || kind == BO_ShlAssign;
      const bool scale = kind == BO_Div || kind == BO_Mul || kind == BO_DivAssign || kind == BO_MulAssign;
      return (shift && constant_integer(amount, context_) == 1) || (scale && constant_integer(amount, context_) == 2);
    };
    if (op->getOpcode() != BO_Assign) return by(op->getOpcode(), op->getRHS());
    const auto* value = dyn_cast<BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
    return value && variable(value->getLHS()) == var && by(value->getOpcode(), value->getRHS());
  }

  // Whether the value is at least a warp, or computed from the block's size.
  bool reaches_past_warp(const Expr* expr, int depth) const {
    constexpr int kDeepest = 8;
    if (!expr || depth > kDeepest || expr->isValueDependent()) return false;
    expr = expr->IgnoreParenImpCasts();
    if (const auto constant = constant_integer(expr, context_)) return *constant >= kWarp;
    if (const std::string index = builtin_index(expr); !index.empty()) return index[0] == kBlockSize;
    if (const VarDecl* var = variable(expr)) return reaches_past_warp(var->getInit(), depth + 1);
    if (const auto* op = dyn_cast<BinaryOperator>(expr)) {
      return reaches_past_warp(op->getLHS(), depth + 1) ||
             (op->getOpcode() != BO_Div && op->getOpcode() != BO_Shr && reaches_past_warp(op->getRHS(), depth + 1));
    }
    return false;
  }

  bool depends_on_thread(const Stmt* stmt) const {
    if (!stmt) return false;
    if (const auto* expr = dyn_cast<Expr>(stmt)) {
      if (const std::string index = builtin_index(expr); !index.empty()) return index[0] == kThread;
      if (const VarDecl* var = variable(expr); var && var->hasInit() && var->isLocalVarDecl() && stmt != var->getInit())
        return depends_on_thread(var->getInit());
    }
    for (const Stmt* child : stmt->children()) {
      if (depends_on_thread(child)) return true;
    }
    return false;
  }

  const ASTContext& context_;
  std::set<const VarDecl*> steps_, others_, bounded_;
};

}  // namespace

std::map<const VarDecl*, int> tree_steps(const FunctionDecl* kernel, const ASTContext& context) {
  TreeSteps steps(context);
  steps.look_at(kernel->getBody());
  return steps.found();
}

}  // namespace syncsniff::facts
