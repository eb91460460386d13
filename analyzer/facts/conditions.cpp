#include "analyzer/facts/conditions.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/names.h"
#include "analyzer/facts/trip_counts.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/words.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Whether the class, or one of its bases, has an operator->, as unique_ptr, shared_ptr and optional have.
bool points(const CXXRecordDecl* record, int depth = 0) {
  if (record && stands_for_unknown(record)) return false;  // a stand-in has every operator
  constexpr int kMostBases = 4;
  if (!record || !record->hasDefinition() || depth > kMostBases) return false;
  const auto arrow = [](const CXXMethodDecl* method) { return method->getOverloadedOperator() == OO_Arrow; };
  const auto inherits = [&](const CXXBaseSpecifier& base) {
    return points(base.getType()->getAsCXXRecordDecl(), depth + 1);
  };
  return std::any_of(record->method_begin(), record->method_end(), arrow) ||
         std::any_of(record->bases_begin(), record->bases_end(), inherits);
}

}  // namespace

constexpr size_t kMostText = 200;  // length of the names in one operand: templates make them kilobytes long

Guard gated(Gate gate, long period, int once_in) {
  Guard guard;
  guard.gate = gate;
  guard.period = period;
  guard.once_in = once_in;
  return guard;
}

std::optional<long> constant_integer(const Expr* expr, const ASTContext& context) {
  Expr::EvalResult result;
  if (!expr || expr->isValueDependent() || !expr->EvaluateAsInt(result, context)) return {};
  return bits_of(result.Val.getInt());
}

long period_of(const Expr* divisor, const ASTContext& context) {
  if (const auto constant = constant_integer(divisor, context)) return *constant;
  const ValueDecl* decl = named_decl(strip(divisor));
  const auto* var = dyn_cast_or_null<VarDecl>(decl);
  const auto* field = dyn_cast_or_null<FieldDecl>(decl);
  const Expr* initial = nullptr;
  if (var && var->hasGlobalStorage()) initial = var->getAnyInitializer();
  if (field && field->hasInClassInitializer()) initial = field->getInClassInitializer();
  return std::max(0L, constant_integer(initial, context).value_or(0));
}

std::optional<bool> constant_truth(const Expr* condition, const ASTContext& context) {
  bool value = false;
  if (!condition || condition->isValueDependent() || !condition->EvaluateAsBooleanCondition(value, context)) return {};
  return value;
}

Comparison compared(const Expr* expr, bool positive) {
  expr = strip(expr);
  const Expr *left = nullptr, *right = nullptr;
  bool greater = false, smaller = false;
  if (const auto* binary = dyn_cast_or_null<BinaryOperator>(expr)) {
    left = binary->getLHS(), right = binary->getRHS();
    greater = binary->getOpcode() == BO_GT || binary->getOpcode() == BO_GE;
    smaller = binary->getOpcode() == BO_LT || binary->getOpcode() == BO_LE;
  } else if (const auto* op = dyn_cast_or_null<CXXOperatorCallExpr>(expr); op && op->getNumArgs() == 2) {
    left = op->getArg(0), right = op->getArg(1);
    greater = op->getOperator() == OO_Greater || op->getOperator() == OO_GreaterEqual;
    smaller = op->getOperator() == OO_Less || op->getOperator() == OO_LessEqual;
  } else if (const auto* rewritten = dyn_cast_or_null<CXXRewrittenBinaryOperator>(expr)) {
    left = rewritten->getLHS(), right = rewritten->getRHS();
    greater = rewritten->getOperator() == BO_GT || rewritten->getOperator() == BO_GE;
    smaller = rewritten->getOperator() == BO_LT || rewritten->getOperator() == BO_LE;
  }
  if (greater == smaller) return {};
  return greater == positive ? Comparison{left, right} : Comparison{right, left};
}

std::optional<Equality> equality(const Expr* expr) {
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr);
      op && op->getNumArgs() == 2 && (op->getOperator() == OO_EqualEqual || op->getOperator() == OO_ExclaimEqual))
    return Equality{op->getArg(0), op->getArg(1), op->getOperator() == OO_EqualEqual};
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isEqualityOp())
    return Equality{binary->getLHS(), binary->getRHS(), binary->getOpcode() == BO_EQ};
  if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expr))
    return Equality{rewritten->getLHS(), rewritten->getRHS(), rewritten->getOperator() == BO_EQ};
  return std::nullopt;
}

const BinaryOperator* equals_certain_result(const Expr* expr, bool positive) {
  const Expr* side = expr;
  bool equal = false;
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isEqualityOp()) {
    equal = binary->getOpcode() == BO_EQ;
    side = strip(binary->getLHS());
    if (!isa<BinaryOperator>(side)) side = strip(binary->getRHS());
  }
  const auto* operation = equal == positive ? dyn_cast<BinaryOperator>(side) : nullptr;
  return operation && !is_dimension(operation->getLHS()) ? operation : nullptr;
}

std::optional<FlagTest> flag_test(const Expr* expr, const ASTContext& context) {
  const auto* binary = dyn_cast<BinaryOperator>(expr);
  if (!binary || !binary->isEqualityOp()) return std::nullopt;
  const auto right = constant_integer(binary->getRHS(), context);
  const auto value = right ? right : constant_integer(binary->getLHS(), context);
  if (!value || (*value != 0 && *value != 1)) return std::nullopt;
  return FlagTest{right ? binary->getLHS() : binary->getRHS(), (*value != 0) == (binary->getOpcode() == BO_EQ)};
}

bool is_null(const Expr* expr, const Expr* other, const ASTContext& context) {
  if (expr->getType()->isNullPtrType() || isa<GNUNullExpr>(expr)) return true;
  if (!other->getType()->isPointerType()) return false;
  ASTContext& same = const_cast<ASTContext&>(context);  // used only to evaluate
  return isa<IntegerLiteral>(expr) ||
         expr->isNullPointerConstant(same, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
}

const Expr* empty_holder(const Term& term) {
  const Expr* holder = nullptr;
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(term.expr)) {
    if (!term.positive && isa_and_nonnull<CXXConversionDecl>(call->getMethodDecl()))
      holder = call->getImplicitObjectArgument();
  } else if (const auto test = equality(term.expr); test && test->equal == term.positive) {
    if (test->right->getType()->isNullPtrType()) holder = test->left;
    if (test->left->getType()->isNullPtrType()) holder = test->right;
  }
  return holder && points(holder->getType()->getAsCXXRecordDecl()) ? strip(holder) : nullptr;
}

std::string words_in(const Expr* expr) {
  std::string words;
  for_each_expr(expr, [&](const Expr* e) {
    const NamedDecl* named = nullptr;
    if (const auto* r = dyn_cast<DeclRefExpr>(e)) named = r->getDecl();
    if (const auto* m = dyn_cast<MemberExpr>(e)) named = m->getMemberDecl();
    if (!named || words.size() > kMostText) return;
    if (!words.empty()) words += ' ';
    words += words_of(named->getDeclName().getAsString());
  });
  return words;
}

}  // namespace syncsniff::facts
