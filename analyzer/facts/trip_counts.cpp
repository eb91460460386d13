#include "analyzer/facts/trip_counts.h"

#include <clang/AST/Expr.h>
#include <clang/AST/StmtCXX.h>

#include <optional>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// The counter, and the factor that it is multiplied or divided by; for a shift, the exponent of two.
struct Scaling {
  const ValueDecl* counter = nullptr;
  const Expr* by = nullptr;
  bool shifts = false;
};

Scaling scaling(const Stmt* stmt) {
  const auto* expr = dyn_cast_or_null<Expr>(stmt);
  const auto* set = expr ? dyn_cast<BinaryOperator>(strip(expr)) : nullptr;
  if (!set || !set->isAssignmentOp()) return {};
  const ValueDecl* counter = named_decl(set->getLHS());
  switch (set->getOpcode()) {
    case BO_MulAssign:
    case BO_DivAssign:
      return {counter, set->getRHS(), false};
    case BO_ShlAssign:
    case BO_ShrAssign:
      return {counter, set->getRHS(), true};
    case BO_Assign:
      break;
    default:
      return {};
  }
  const auto* result = dyn_cast<BinaryOperator>(strip(set->getRHS()));
  if (!result || named_decl(result->getLHS()) != counter) return {};
  if (result->getOpcode() == BO_Mul || result->getOpcode() == BO_Div) return {counter, result->getRHS(), false};
  if (result->getOpcode() == BO_Shl || result->getOpcode() == BO_Shr) return {counter, result->getRHS(), true};
  return {};
}

// Whether the factor is at least two, or at most half. A learning rate that falls by a tenth of a per cent takes many
// iterations.
bool is_large(const Scaling& scaling, const ASTContext& context) {
  Expr::EvalResult factor;
  if (scaling.by->isValueDependent()) return false;
  if (!scaling.by->EvaluateAsRValue(factor, context)) return scaling.by->getType()->isIntegerType();
  if (factor.Val.isInt()) return factor.Val.getInt().getExtValue() >= (scaling.shifts ? 1 : 2);
  if (!factor.Val.isFloat()) return false;
  const double value = factor.Val.getFloat().convertToDouble();
  return value >= 2 || (value > 0 && value <= 0.5);
}

bool asks(const Expr* condition, const ValueDecl* counter) {
  return condition && counter && mentions(condition, {counter->getCanonicalDecl(), counter});
}

bool scales(const Stmt* stmt, const Expr* condition, const ASTContext& context) {
  const Scaling found = scaling(stmt);
  return found.by && asks(condition, found.counter) && is_large(found, context);
}

}  // namespace

bool counts_by_one(const Stmt* loop) {
  const auto* f = dyn_cast<ForStmt>(loop);
  if (!f || !f->getInc()) return true;
  bool other = false;
  for_each_expr(f->getInc(), [&](const Expr* expr) {
    const Assignment a = assignment(expr);
    const auto* literal = a.right ? dyn_cast<IntegerLiteral>(strip(a.right)) : nullptr;
    other |= a.left && !follows_link(expr) && !(a.compound && literal && literal->getValue() == 1);
  });
  return !other;
}

namespace {

// for (int i = first; ...), for (i = first; ...): the counter and its first value.
std::pair<const ValueDecl*, const Expr*> beginning(const ForStmt* loop) {
  const Stmt* init = loop->getInit();
  if (const auto* declared = dyn_cast_or_null<DeclStmt>(init)) {
    const auto* var = declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
    return {var, var ? var->getInit() : nullptr};
  }
  const Assignment assigned = init ? assignment(init) : Assignment{};
  if (!assigned.left || assigned.compound) return {};
  return {named_decl(strip(assigned.left)), assigned.right};
}

// The value of a variable such as int rounds = 1; that has no other write and whose address is never taken.
std::optional<long> set_once(const Expr* expr, const Writes& writes) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(expr));
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!var || isa<ParmVarDecl>(var) || !var->isLocalVarDecl()) return std::nullopt;
  const std::vector<Write>& all = writes.of(var);
  return all.size() == 1 && all[0].initial && all[0].how == Write::How::kSet ? all[0].value : std::nullopt;
}

std::optional<long> bound(const Expr* expr, const ASTContext& context, const Writes* writes) {
  const std::optional<long> constant = constant_integer(expr, context);
  return constant || !writes ? constant : set_once(expr, *writes);
}

// for (int i = first; i < past; ...), with an integer and known numbers.
struct Bounds {
  const ValueDecl* counter;
  long first, past;
  BinaryOperatorKind compare;
};
std::optional<Bounds> bounds_of(const Stmt* loop, const ASTContext& context, const Writes* writes) {
  const auto* f = dyn_cast<ForStmt>(loop);
  const auto* condition = f && f->getCond() ? dyn_cast<BinaryOperator>(strip(f->getCond())) : nullptr;
  if (!condition) return std::nullopt;
  const auto [counter, begins] = beginning(f);
  if (!counter || !begins || named_decl(strip(condition->getLHS())) != counter) return std::nullopt;
  const auto first = bound(begins, context, writes), past = bound(condition->getRHS(), context, writes);
  if (!counter->getType()->isIntegerType() || !first || !past) return std::nullopt;
  return Bounds{counter, *first, *past, condition->getOpcode()};
}

}  // namespace

long constant_trips(const Stmt* loop, const ASTContext& context, const Writes* writes) {
  const std::optional<Bounds> bounds = bounds_of(loop, context, writes);
  if (!bounds || !cast<ForStmt>(loop)->getInc() || !counts_by_one(loop)) return 0;
  switch (bounds->compare) {
    case BO_LT:
    case BO_NE:
      return bounds->past - bounds->first;
    case BO_LE:
      return bounds->past - bounds->first + 1;
    case BO_GT:
      return bounds->first - bounds->past;
    case BO_GE:
      return bounds->first - bounds->past + 1;
    default:
      return 0;
  }
}

bool never_begins(const Stmt* loop, const ASTContext& context) {
  const std::optional<Bounds> bounds = bounds_of(loop, context, nullptr);
  if (!bounds || !bounds->counter->getType()->isSignedIntegerType()) return false;
  switch (bounds->compare) {
    case BO_LT:
      return bounds->first >= bounds->past;
    case BO_LE:
      return bounds->first > bounds->past;
    case BO_GT:
      return bounds->first <= bounds->past;
    case BO_GE:
      return bounds->first < bounds->past;
    default:
      return false;
  }
}

bool is_dimension(const Expr* expr) {
  expr = strip(expr);
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->getInit()) expr = strip(variable->getInit());
  const auto* call = dyn_cast<CXXMemberCallExpr>(expr);
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || !is_tensor(call->getImplicitObjectArgument()->getType())) return false;
  return method->getName() == "size" || method->getName() == "dim" || method->getName() == "numel";
}

bool counts_dimension(const Stmt* loop) {
  const auto* f = dyn_cast<ForStmt>(loop);
  const auto* condition = f && f->getCond() ? dyn_cast<BinaryOperator>(strip(f->getCond())) : nullptr;
  return condition && condition->isComparisonOp() && is_dimension(condition->getRHS());
}

bool multiplies(const Stmt* loop, const ASTContext& context) {
  if (const auto* f = dyn_cast<ForStmt>(loop); f && f->getInc()) {
    // for (...; n *= 2, ++j)
    bool any = false;
    for_each_expr(f->getInc(), [&](const Expr* part) { any |= scales(part, f->getCond(), context); });
    return any;
  }
  const Expr* condition = nullptr;
  if (const auto* f = dyn_cast<ForStmt>(loop)) condition = f->getCond();
  if (const auto* w = dyn_cast<WhileStmt>(loop)) condition = w->getCond();
  if (const auto* d = dyn_cast<DoStmt>(loop)) condition = d->getCond();
  const auto* body = dyn_cast_or_null<CompoundStmt>(body_of_loop(loop));
  if (!body || !condition) return false;
  // The counter must be scaled in each iteration: under a condition it may stay the same for many iterations.
  return std::any_of(body->body_begin(), body->body_end(),
                     [&](const Stmt* stmt) { return scales(stmt, condition, context); });
}

namespace {

// `rows` of rows.begin(), begin(rows): a call that has no other argument and returns an iterator.
const Expr* iterator_source(const Expr* expr) {
  const auto* call = dyn_cast_or_null<CallExpr>(expr ? strip(expr) : nullptr);
  if (!call) return nullptr;
  if (const auto* method = dyn_cast<CXXMemberCallExpr>(call))
    return method->getNumArgs() == 0 ? strip(method->getImplicitObjectArgument()) : nullptr;
  return call->getNumArgs() == 1 && !isa<CXXOperatorCallExpr>(call) ? strip(call->getArg(0)) : nullptr;
}

// The two sides of `a != b` or `a < b`, also of a class's own operators.
std::pair<const Expr*, const Expr*> sides_of(const Expr* condition) {
  if (!condition) return {};
  const Expr* expr = strip(condition);
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isComparisonOp())
    return {binary->getLHS(), binary->getRHS()};
  if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expr)) {
    const auto parts = rewritten->getDecomposedForm();
    return {parts.LHS, parts.RHS};
  }
  const auto* call = dyn_cast<CXXOperatorCallExpr>(expr);
  if (!call || call->getNumArgs() != 2 || !call->isComparisonOp()) return {};
  return {call->getArg(0), call->getArg(1)};
}

}  // namespace

const Expr* iterated_object(const Stmt* loop) {
  const auto* f = dyn_cast<ForStmt>(loop);
  const auto* begin = f ? dyn_cast_or_null<DeclStmt>(f->getInit()) : nullptr;
  if (!begin) return nullptr;
  const auto [iterator, end] = sides_of(f->getCond());
  const auto* var = iterator ? dyn_cast_or_null<VarDecl>(named_decl(iterator)) : nullptr;
  if (!var || !llvm::is_contained(begin->decls(), var) || var->getType()->isIntegerType()) return nullptr;
  const Expr* object = iterator_source(var->getInit());
  const ValueDecl* rows = object ? named_decl(object) : nullptr;
  const Expr* other = iterator_source(end);
  return rows && other && named_decl(other) == rows ? object : nullptr;
}

}  // namespace syncsniff::facts
