#include "analyzer/facts/schedules.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// due.back(), due[next]: the next entry of a list, and the variable with its index.
struct ListEntry {
  const ValueDecl* list = nullptr;
  const ValueDecl* position = nullptr;  // null: an end of the list
};

bool is_named(const CXXMemberCallExpr* call, std::initializer_list<StringRef> names) {
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && llvm::is_contained(names, method->getName());
}

ListEntry entry_of(const Expr* expr) {
  expr = strip(expr);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expr); is_named(call, {"back", "front", "top"}))
    return {named_decl(call->getImplicitObjectArgument()), nullptr};
  const Expr *list = nullptr, *position = nullptr;
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr)) {
    list = element->getBase(), position = element->getIdx();
  } else if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr); op && op->getOperator() == OO_Subscript) {
    list = op->getArg(0), position = op->getArg(1);
  }
  const ValueDecl* at = position ? named_decl(position) : nullptr;
  return at ? ListEntry{named_decl(list), at} : ListEntry{};
}

// due.pop_back(), ++next.
bool goes_to_next(const Stmt* stmt, const ListEntry& entry) {
  if (!stmt) return false;
  if (entry.position) {
    const auto* step = dyn_cast<UnaryOperator>(stmt);
    if (step && step->isIncrementDecrementOp() && named_decl(step->getSubExpr()) == entry.position) return true;
    const auto* add = dyn_cast<CompoundAssignOperator>(stmt);
    if (add && named_decl(add->getLHS()) == entry.position) return true;
  } else if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt);
             is_named(call, {"pop_back", "pop_front", "pop", "erase"}) &&
             named_decl(call->getImplicitObjectArgument()) == entry.list) {
    return true;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return goes_to_next(child, entry); });
}

bool is_due(const Expr* comparison, const Stmt* branch) {
  const auto* binary = dyn_cast<BinaryOperator>(comparison);
  if (!binary || !(binary->isRelationalOp() || binary->isEqualityOp())) return false;
  const ListEntry left = entry_of(binary->getLHS()), right = entry_of(binary->getRHS());
  // Comparing entries of two lists is a merge, not a schedule.
  if ((left.list != nullptr) == (right.list != nullptr)) return false;
  const ListEntry& entry = left.list ? left : right;
  if (named_decl(left.list ? binary->getRHS() : binary->getLHS()) == nullptr) return false;
  return goes_to_next(branch, entry);
}

// due += 100, due = step + interval: by how much the branch moves `due` forward; nullopt if it does not, or by one.
std::optional<long> moved_by(const ValueDecl* due, const ValueDecl* now, const Stmt* stmt, const ASTContext& context) {
  if (!stmt) return std::nullopt;
  const Expr* by = nullptr;
  const auto* set = dyn_cast<BinaryOperator>(stmt);
  if (set && set->isAssignmentOp() && named_decl(set->getLHS()) == due) {
    const auto* sum = dyn_cast<BinaryOperator>(strip(set->getRHS()));
    if (set->getOpcode() == BO_AddAssign) {
      by = set->getRHS();
    } else if (set->getOpcode() == BO_Assign && sum && sum->getOpcode() == BO_Add) {
      const ValueDecl* from = named_decl(sum->getLHS());
      if (from && (from == due || from == now)) by = sum->getRHS();
    }
  }
  if (by) {
    const auto steps = constant_integer(by, context);
    if (!steps) return 0;
    return *steps > 1 ? steps : std::nullopt;
  }
  for (const Stmt* child : stmt->children())
    if (const auto found = moved_by(due, now, child, context)) return found;
  return std::nullopt;
}

bool sets(const Stmt* stmt, const ValueDecl* variable) {
  bool found = assigns(stmt, variable);
  for_each_stmt(stmt, [&](const Stmt* each) {
    const auto* step = dyn_cast<UnaryOperator>(each);
    found |= step && step->isIncrementDecrementOp() && named_decl(step->getSubExpr()) == variable;
  });
  return found;
}

}  // namespace

std::optional<long> steps_to_next(const Expr* condition, bool taken, const Stmt* branch, const ASTContext& context) {
  const auto* test = condition ? dyn_cast<BinaryOperator>(strip(condition)) : nullptr;
  if (!test || !branch || !taken) return std::nullopt;
  const Expr *now = strip(test->getLHS()), *due = strip(test->getRHS());
  const BinaryOperatorKind is = test->getOpcode();
  if (is == BO_NE) {
    const auto *a = dyn_cast<BinaryOperator>(now), *b = dyn_cast<BinaryOperator>(due);
    if (!a || !b || a->getOpcode() != BO_Div || b->getOpcode() != BO_Div) return std::nullopt;
    const auto left = constant_integer(a->getRHS(), context), right = constant_integer(b->getRHS(), context);
    return left && left == right && *left > 1 ? left : std::nullopt;
  }
  if (is == BO_LE || is == BO_LT)
    std::swap(now, due);
  else if (is != BO_GE && is != BO_GT && is != BO_EQ)
    return std::nullopt;
  const ValueDecl *clock = named_decl(now), *next = named_decl(due);
  if (!clock || !next || clock == next || sets(branch, clock)) return std::nullopt;
  return moved_by(next, clock, branch, context);
}

bool works_off_schedule(const Expr* condition, bool taken, const Stmt* branch) {
  condition = strip(condition);
  if (!condition || !branch) return false;
  if (const auto* unary = dyn_cast<UnaryOperator>(condition); unary && unary->getOpcode() == UO_LNot)
    return works_off_schedule(unary->getSubExpr(), !taken, branch);
  const auto* binary = dyn_cast<BinaryOperator>(condition);
  if (binary && binary->isLogicalOp()) {
    return (binary->getOpcode() == BO_LAnd) == taken &&
           (works_off_schedule(binary->getLHS(), taken, branch) || works_off_schedule(binary->getRHS(), taken, branch));
  }
  return taken && is_due(condition, branch);
}

}  // namespace syncsniff::facts
