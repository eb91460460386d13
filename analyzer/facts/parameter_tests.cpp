#include "analyzer/facts/parameter_tests.h"

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// The number of the parameter that the expression reads; -1 for anything else.
int parameter_of(const Expr* expr, const FunctionDecl* function, const Writes& writes) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(expr));
  const auto* parameter = reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
  if (!parameter || !(parameter->getType()->isIntegralOrEnumerationType() || parameter->getType()->isPointerType()))
    return -1;
  const unsigned index = parameter->getFunctionScopeIndex();
  const bool own = index < function->getNumParams() && function->getParamDecl(index) == parameter;
  return own && writes.of(parameter).empty() ? static_cast<int>(index) : -1;
}

ParameterTest test_of(int parameter, long long value, bool equal, const FunctionDecl* function,
                      const ASTContext& context) {
  ParameterTest test{parameter, value, equal, kNotConstant};
  const ParmVarDecl* declared = function->getParamDecl(static_cast<unsigned>(parameter));
  test.pointer = declared->getType()->isPointerType();
  test.left_out = default_constant(declared, context);
  return test;
}

}  // namespace

std::optional<long long> constant_argument(const Expr* arg, const ASTContext& context) {
  if (arg->isValueDependent()) return {};
  if (const auto value = constant_integer(arg, context)) return *value;
  const bool null =
      arg->getType()->isPointerType() && arg->IgnoreParenImpCasts()->isNullPointerConstant(
                                             const_cast<ASTContext&>(context), Expr::NPC_ValueDependentIsNotNull);
  return null ? std::optional<long long>(0) : std::nullopt;
}

long long default_constant(const ParmVarDecl* parameter, const ASTContext& context) {
  if (!parameter->hasDefaultArg() || parameter->hasUnparsedDefaultArg() || parameter->hasUninstantiatedDefaultArg())
    return kNotConstant;
  return constant_argument(parameter->getDefaultArg(), context).value_or(kNotConstant);
}

ParameterTest parameter_test(const Expr* switched, const Expr* label, const FunctionDecl* function,
                             const Writes& writes, const ASTContext& context) {
  if (!function || switched->isValueDependent() || label->isValueDependent()) return {};
  const int parameter = parameter_of(switched, function, writes);
  const auto value = constant_integer(label, context);
  return parameter < 0 || !value ? ParameterTest{} : test_of(parameter, *value, true, function, context);
}

ParameterTest parameter_test(const Expr* condition, bool taken, const FunctionDecl* function, const Writes& writes,
                             const ASTContext& context) {
  if (!condition || !function || condition->isValueDependent()) return {};
  condition = strip(condition);
  if (const auto* unary = dyn_cast<UnaryOperator>(condition); unary && unary->getOpcode() == UO_LNot)
    return parameter_test(unary->getSubExpr(), !taken, function, writes, context);
  if (const int alone = parameter_of(condition, function, writes); alone >= 0)
    return test_of(alone, 0, !taken, function, context);
  const auto* binary = dyn_cast<BinaryOperator>(condition);
  if (!binary) return {};
  if (binary->isLogicalOp()) {
    if ((binary->getOpcode() == BO_LAnd) != taken) return {};  // either operand may be what lets the branch run
    const ParameterTest left = parameter_test(binary->getLHS(), taken, function, writes, context);
    return left.parameter >= 0 ? left : parameter_test(binary->getRHS(), taken, function, writes, context);
  }
  if (!binary->isEqualityOp()) return {};
  const Expr *asked = binary->getLHS(), *against = binary->getRHS();
  int parameter = parameter_of(asked, function, writes);
  if (parameter < 0) {
    std::swap(asked, against);
    parameter = parameter_of(asked, function, writes);
  }
  const auto value = constant_argument(against, context);
  if (parameter < 0 || !value) return {};
  return test_of(parameter, *value, (binary->getOpcode() == BO_EQ) == taken, function, context);
}

}  // namespace syncsniff::facts
