#include "analyzer/facts/counts.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/trip_counts.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Counters begin with one of these, and may be stepped in another unit, so such a value does not show a size.
bool may_begin_count(long value) { return value >= -1 && value <= 1; }

constexpr int kMaxDepth = 6;  // depth of variables and calls between the number and what it is computed from

class Origin {
 public:
  explicit Origin(const Writes& writes) : writes_(writes) {}

  bool may_count(const Expr* number, int depth) const {
    number = strip(number);
    if (!number || depth > kMaxDepth) return true;
    if (number->getType()->isPointerType() || is_dimension(number)) return false;
    if (isa<IntegerLiteral, UnaryExprOrTypeTraitExpr, CXXBoolLiteralExpr, CharacterLiteral>(number)) return false;
    if (const auto* binary = dyn_cast<BinaryOperator>(number))
      return binary->isAssignmentOp() || binary->getLHS()->getType()->isPointerType() ||
             may_count(binary->getLHS(), depth) || may_count(binary->getRHS(), depth);
    const auto* reference = dyn_cast<DeclRefExpr>(number);
    if (reference && isa<EnumConstantDecl>(reference->getDecl())) return false;
    const ValueDecl* decl = named_decl(number);
    return !decl || !isa<VarDecl, FieldDecl>(decl) || may_count(decl, depth);
  }

 private:
  bool may_count(const ValueDecl* decl, int depth) const {
    const std::vector<Write>& writes = writes_.of(decl);
    const bool is_set_again = std::any_of(writes.begin(), writes.end(), [](const Write& write) {
      return write.how != Write::How::kSet || (!write.initial && !write.value);
    });
    if (is_set_again) return true;
    if (const auto* parameter = dyn_cast<ParmVarDecl>(decl)) return gets_count(parameter, depth);
    if (isa<FieldDecl>(decl)) return !is_begun_without_count(writes, depth);
    const auto* variable = cast<VarDecl>(decl);
    const bool is_seen_whole = variable->hasLocalStorage() || variable->getType().isConstQualified();
    return !is_seen_whole || !variable->getInit() || may_count(variable->getInit(), depth + 1);
  }

  // A field that is set by constructors only, to constants or to what their callers pass.
  bool is_begun_without_count(const std::vector<Write>& writes, int depth) const {
    return !writes.empty() && std::all_of(writes.begin(), writes.end(), [&](const Write& write) {
      return (write.value && !may_begin_count(*write.value)) ||
             (write.parameter && !gets_count(write.parameter, depth));
    });
  }

  bool gets_count(const ParmVarDecl* parameter, int depth) const {
    const auto& given = writes_.given_for(parameter);
    const auto* function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
    const auto begins = [](const Expr* each) {
      const auto* literal = dyn_cast_or_null<IntegerLiteral>(strip(each));
      return literal && literal->getValue().ule(1);
    };
    return std::all_of(given.begin(), given.end(), begins) || !function || writes_.is_called_out_of_sight(function) ||
           std::any_of(given.begin(), given.end(), [&](const Expr* each) { return may_count(each, depth + 1); });
  }

  const Writes& writes_;
};

}  // namespace

bool may_count(const Expr* number, const Writes& writes) { return Origin(writes).may_count(number, 0); }

std::optional<long> period_of_count(const Expr* expr, bool positive, const Writes& writes, const ASTContext& context) {
  const BinaryOperator* rest = equals_certain_result(expr, positive);
  if (!rest || rest->getOpcode() != BO_Rem || !may_count(rest->getLHS(), writes)) return {};
  return period_of(rest->getRHS(), context);
}

}  // namespace syncsniff::facts
