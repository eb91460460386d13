#include "analyzer/facts/turns.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kMostStepsToIndex = 8;  // number of steps from the expression back to the index

const Expr* initializer(const Expr* expr) {
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return var && var->isLocalVarDecl() && !var->isStaticLocal() ? var->getInit() : nullptr;
}

// The integer variable that the statement reads, if it outlives the call.
const ValueDecl* kept_number(const Stmt* stmt) {
  const auto* expr = dyn_cast<Expr>(stmt);
  if (!expr || !expr->getType()->isIntegerType()) return nullptr;
  if (const auto* member = dyn_cast<MemberExpr>(expr)) return member->getMemberDecl();
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return var && var->hasGlobalStorage() ? var : nullptr;
}

bool is_changed(const ValueDecl* number, const Stmt* stmt) {
  if (!stmt) return false;
  const auto* unary = dyn_cast<UnaryOperator>(stmt);
  const Expr* changed = unary && unary->isIncrementDecrementOp() ? unary->getSubExpr() : assignment(stmt).left;
  if (changed && kept_number(strip(changed)) == number) return true;
  for (const Stmt* child : stmt->children()) {
    if (is_changed(number, child)) return true;
  }
  return false;
}

bool changes_by_call(const Stmt* index, const Stmt* body, int steps) {
  if (!index || steps > kMostStepsToIndex) return false;
  if (const ValueDecl* number = kept_number(index)) return is_changed(number, body);
  if (const auto* expr = dyn_cast<Expr>(index)) {
    if (const Expr* made_of = initializer(expr)) return changes_by_call(made_of, body, steps + 1);
  }
  for (const Stmt* child : index->children()) {
    if (changes_by_call(child, body, steps)) return true;
  }
  return false;
}

// The index and the array or container of an element access; nulls if `expr` is none.
std::pair<const Expr*, const Expr*> element(const Expr* expr) {
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expr)) return {subscript->getIdx(), subscript->getBase()};
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr); op && op->getOperator() == OO_Subscript)
    return {op->getArg(1), op->getArg(0)};
  const auto* call = dyn_cast<CXXMemberCallExpr>(expr);
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  if (method && method->getIdentifier() && method->getName() == "at" && call->getNumArgs() == 1)
    return {call->getArg(0), call->getImplicitObjectArgument()};
  return {};
}

}  // namespace

bool picked_by_turns(const Expr* expr, const Stmt* body) {
  for (int steps = 0; expr && steps < kMostStepsToIndex; ++steps) {
    expr = strip(expr);
    if (const auto [index, in] = element(expr); index) {
      if (changes_by_call(index, body, 0)) return true;
      expr = in;
    } else if (const auto* member = dyn_cast<MemberExpr>(expr)) {
      expr = member->getBase();
    } else if (const auto* unary = dyn_cast<UnaryOperator>(expr)) {
      expr = unary->getSubExpr();
    } else {
      expr = initializer(expr);
    }
  }
  return false;
}

}  // namespace syncsniff::facts
