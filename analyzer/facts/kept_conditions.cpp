#include "analyzer/facts/kept_conditions.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Walks the body of the function that declares the variable.
class TurnReader {
 public:
  TurnReader(const VarDecl* flag, const ASTContext& context, KeptCondition& kept)
      : flag_(flag), context_(context), kept_(kept) {}

  // `around`: the condition under which the statement runs; null: none that helps. False: the variable changes in some
  // other way.
  bool read(const Stmt* stmt, const Expr* around) {
    if (!stmt) return true;
    if (const auto* branch = dyn_cast<IfStmt>(stmt))
      return read(branch->getInit(), around) && read(branch->getCond(), around) &&
             read(branch->getThen(), branch->getCond()) && read(branch->getElse(), nullptr);
    if (const auto* set = dyn_cast<BinaryOperator>(stmt); set && set->isAssignmentOp() && is_flag(set->getLHS()))
      return read_assignment(set, around);
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(stmt);
        cast && cast->getCastKind() == CK_LValueToRValue && is_flag(cast->getSubExpr()))
      return true;
    if (const auto* expr = dyn_cast<DeclRefExpr>(stmt); expr && expr->getDecl() == flag_) return false;
    for (const Stmt* child : stmt->children())
      if (!read(child, around)) return false;
    return true;
  }

 private:
  bool is_flag(const Expr* expr) const { return named_decl(expr) == flag_; }

  bool read_assignment(const BinaryOperator* set, const Expr* around) {
    const Expr* value = strip(set->getRHS());
    if (set->getOpcode() == BO_Assign) {
      if (const auto to = constant_integer(value, context_)) {
        if (around) kept_.turns.push_back({around, true, *to != 0});
        return around != nullptr;
      }
      const auto* logical = dyn_cast<BinaryOperator>(value);
      if (!logical || !logical->isLogicalOp() || !is_flag(strip(logical->getLHS()))) return false;
      return narrow(logical->getRHS(), logical->getOpcode() == BO_LAnd);
    }
    if (set->getOpcode() == BO_AndAssign || set->getOpcode() == BO_OrAssign)
      return narrow(value, set->getOpcode() == BO_AndAssign);
    return false;
  }

  // fits &= c; differs |= c;
  bool narrow(const Expr* condition, bool is_and) {
    kept_.turns.push_back({condition, !is_and, !is_and});
    return true;
  }

  const VarDecl* flag_;
  const ASTContext& context_;
  KeptCondition& kept_;
};

}  // namespace

std::optional<KeptCondition> kept_condition(const Expr* expr, const ASTContext& context) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(strip(expr));
  const auto* flag = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!flag || !flag->isLocalVarDecl() || flag->isStaticLocal() || !flag->getInit()) return std::nullopt;
  if (!flag->getType()->isBooleanType() || flag->getInit()->isValueDependent()) return std::nullopt;
  const auto* function = dyn_cast<FunctionDecl>(flag->getDeclContext());
  KeptCondition kept{flag->getInit(), {}};
  if (!function || !function->getBody() || !TurnReader(flag, context, kept).read(function->getBody(), nullptr))
    return std::nullopt;
  return kept;
}

}  // namespace syncsniff::facts
