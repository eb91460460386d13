#include "analyzer/facts/turning_calls.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Whether every path through `stmt` reaches a statement for which `is` holds. A path that returns before it does not.
template <class Is>
bool on_every_way(const Stmt* stmt, const Is& is, const ASTContext& context) {
  if (!stmt || isa<LambdaExpr>(stmt)) return false;
  if (is(stmt)) return true;
  if (const auto* test = dyn_cast<IfStmt>(stmt)) {
    if (const auto value = constant_integer(test->getCond(), context))
      return on_every_way(*value ? test->getThen() : test->getElse(), is, context);
    return on_every_way(test->getThen(), is, context) && on_every_way(test->getElse(), is, context);
  }
  if (isa<ForStmt, WhileStmt, CXXForRangeStmt, SwitchStmt, ConditionalOperator>(stmt)) return false;
  if (const auto* logical = dyn_cast<BinaryOperator>(stmt); logical && logical->isLogicalOp())
    return on_every_way(logical->getLHS(), is, context);
  for (const Stmt* child : stmt->children()) {
    if (on_every_way(child, is, context)) return true;
    bool leaves = false;
    for_each_stmt(child, [&](const Stmt* inner) { leaves |= isa<ReturnStmt, GotoStmt, BreakStmt>(inner); });
    if (leaves && !isa_and_nonnull<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(child)) return false;
  }
  return false;
}

// Whether the call is made on the object whose field is tested, or gets that object. A variable belongs to no object.
bool is_for_object_of(const Expr* tested, const CallExpr* call) {
  const auto* field = dyn_cast<MemberExpr>(strip(tested));
  if (!field) return true;
  const Expr* object = strip(field->getBase());
  const auto is_same = [&](const Expr* other) {
    other = other ? strip(other) : nullptr;
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(other);
        unary && (unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf))
      other = strip(unary->getSubExpr());
    if (isa<CXXThisExpr>(object)) return isa_and_nonnull<CXXThisExpr>(other);
    return other && named_decl(object) && named_decl(object) == named_decl(other);
  };
  const auto* method = dyn_cast<CXXMemberCallExpr>(call);
  return (method && is_same(method->getImplicitObjectArgument())) ||
         std::any_of(call->arg_begin(), call->arg_end(), is_same);
}

}  // namespace

bool sets_for_good(const Write& write) {
  if (write.how != Write::How::kSet || write.initial) return false;
  if (write.value) return *write.value != 0;
  const auto* set = dyn_cast_or_null<BinaryOperator>(write.at);
  if (!set || set->getOpcode() != BO_Assign) return false;
  const QualType type = set->getLHS()->getType();
  if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType()) return false;
  bool calls = false;
  for_each_expr(set->getRHS(), [&](const Expr* expr) { calls |= isa<CallExpr>(expr); });
  return !calls;
}

// Whether every run of the function writes the variable or field in a way for which `is` holds.
template <class Is>
static bool writes_whenever_run(const FunctionDecl* function, const ValueDecl* variable, const Is& is,
                                const Writes& writes, const ASTContext& context) {
  const auto writes_here = [&](const Stmt* stmt) {
    return std::ranges::any_of(writes.of(variable), [&](const Write& write) { return write.at == stmt && is(write); });
  };
  return function->getBody() && on_every_way(function->getBody(), writes_here, context);
}

bool sets_whenever_run(const FunctionDecl* function, const ValueDecl* number, const Writes& writes,
                       const ASTContext& context) {
  return writes_whenever_run(function, number, sets_for_good, writes, context);
}

const FunctionDecl* turning_call(const Expr* tested, bool positive, const Stmt* branch, const Writes& writes,
                                 const ASTContext& context) {
  const ValueDecl* flag = tested ? value_read(tested) : nullptr;
  if (!flag || !branch) return nullptr;
  const auto turns = [&](const Write& write) {
    if (!positive) return sets_for_good(write);
    return write.how == Write::How::kSet && !write.initial && write.value == 0;
  };
  const FunctionDecl* turning = nullptr;
  const auto calls_one = [&](const Stmt* stmt) {
    const auto* call = dyn_cast<CallExpr>(stmt);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const FunctionDecl* defined = callee ? callee->getDefinition() : nullptr;
    if (!defined || !is_for_object_of(tested, call) || !writes_whenever_run(defined, flag, turns, writes, context))
      return false;
    turning = defined;
    return true;
  };
  return on_every_way(branch, calls_one, context) ? turning : nullptr;
}

}  // namespace syncsniff::facts
