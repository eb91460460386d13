#include "analyzer/facts/parameter_tests.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostAlternatives = 4;

class Tests {
 public:
  Tests(const FunctionDecl* function, const Writes& writes, const ASTContext& context)
      : function_(function), writes_(writes), context_(context) {}

  // The tests that pass if the condition is `taken`.
  List<ParameterTests> of(const Expr* condition, bool taken) const {
    condition = strip(condition);
    if (const auto* unary = dyn_cast<UnaryOperator>(condition); unary && unary->getOpcode() == UO_LNot)
      return of(unary->getSubExpr(), !taken);
    if (auto alone = tested(condition)) return only(*alone, ParameterTest::Is::kEqual, 0, !taken);
    const auto* binary = dyn_cast<BinaryOperator>(condition);
    if (!binary) return {};
    if (binary->isLogicalOp()) return of_both(binary, taken);
    return binary->isEqualityOp() || binary->isRelationalOp() ? of_comparison(binary, taken) : List<ParameterTests>{};
  }

  // If `expr` is a parameter of the function, or a field of its object: a test of it.
  std::optional<ParameterTest> tested(const Expr* expr) const {
    expr = strip(expr);
    const QualType type = expr->getType();
    if (type.isNull() || !(type->isIntegralOrEnumerationType() || type->isPointerType())) return {};
    ParameterTest test;
    test.pointer = type->isPointerType();
    if (const auto* member = dyn_cast<MemberExpr>(expr)) {
      const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (!field || !isa<CXXThisExpr>(strip(member->getBase()))) return {};
      test.field = node_of(field);
      return test;
    }
    const auto* reference = dyn_cast<DeclRefExpr>(expr);
    const auto* parameter = reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
    const unsigned index = parameter ? parameter->getFunctionScopeIndex() : function_->getNumParams();
    if (index >= function_->getNumParams() || function_->getParamDecl(index) != parameter) return {};
    if (!writes_.of(parameter).empty()) return {};
    test.parameter = static_cast<int>(index);
    test.left_out = default_constant(parameter, context_);
    return test;
  }

  static List<ParameterTests> only(ParameterTest test, ParameterTest::Is is, long long value, bool holds) {
    test.is = is;
    test.value = value;
    test.holds = holds;
    ParameterTests tests;
    tests.any.push_back(std::move(test));
    return {std::move(tests)};
  }

 private:
  List<ParameterTests> of_both(const BinaryOperator* both, bool taken) const {
    List<ParameterTests> left = of(both->getLHS(), taken);
    const List<ParameterTests> right = of(both->getRHS(), taken);
    if ((both->getOpcode() == BO_LAnd) == taken) {
      left.insert(left.end(), right.begin(), right.end());
      return left;
    }
    // Either operand may let the branch run; an operand of which nothing is known may always do so.
    List<ParameterTests> out;
    for (const ParameterTests& one : left) {
      for (const ParameterTests& other : right) {
        ParameterTests either = one;
        either.any.insert(either.any.end(), other.any.begin(), other.any.end());
        if (either.any.size() <= kMostAlternatives && out.size() < kMostAlternatives) out.push_back(std::move(either));
      }
    }
    return out;
  }

  List<ParameterTests> of_comparison(const BinaryOperator* comparison, bool taken) const {
    using Is = ParameterTest::Is;
    BinaryOperatorKind kind = comparison->getOpcode();
    const Expr* against = comparison->getRHS();
    auto test = tested(comparison->getLHS());
    if (!test) {
      against = comparison->getLHS();
      test = tested(comparison->getRHS());
      if (comparison->isRelationalOp()) kind = BinaryOperator::reverseComparisonOp(kind);
    }
    const auto value = test ? constant_argument(against, context_) : std::nullopt;
    if (!value) return {};
    const bool equal = kind == BO_EQ || kind == BO_NE, less = kind == BO_LT || kind == BO_GE;
    const bool negated = kind == BO_NE || kind == BO_GE || kind == BO_LE;
    return only(*test, equal ? Is::kEqual : less ? Is::kLess : Is::kGreater, *value, taken != negated);
  }

  const FunctionDecl* const function_;
  const Writes& writes_;
  const ASTContext& context_;
};

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

List<ParameterTests> parameter_tests(const Expr* switched, const Expr* label, const FunctionDecl* function,
                                     const Writes& writes, const ASTContext& context) {
  if (!function || switched->isValueDependent() || label->isValueDependent()) return {};
  const auto test = Tests(function, writes, context).tested(switched);
  const auto value = constant_integer(label, context);
  return test && value ? Tests::only(*test, ParameterTest::Is::kEqual, *value, true) : List<ParameterTests>{};
}

List<ParameterTests> parameter_tests(const Expr* condition, bool taken, const FunctionDecl* function,
                                     const Writes& writes, const ASTContext& context) {
  if (!condition || !function || condition->isValueDependent()) return {};
  return Tests(function, writes, context).of(condition, taken);
}

}  // namespace syncsniff::facts
