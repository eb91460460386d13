#include "analyzer/facts/last_iterations.h"

#include <clang/AST/Stmt.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr long kFew = 10;

bool same_base(const Expr* a, const Expr* b, const ASTContext& context) {
  if (!a || !b) return !a && !b;
  const ValueDecl *one = named_decl(a), *other = named_decl(b);
  if (one && isa<DeclRefExpr>(strip(a)) && isa<DeclRefExpr>(strip(b))) return one == other;
  const std::string text = source_text(a->getSourceRange(), context);
  return !text.empty() && text == source_text(b->getSourceRange(), context);
}

}  // namespace

Shifted shifted(const Expr* expr, const ASTContext& context) {
  Shifted out{strip(expr), 0};
  for (int depth = 0; out.base && depth < 4; ++depth) {
    if (const auto value = constant_integer(out.base, context)) return {nullptr, out.by + *value};
    const auto* binary = dyn_cast<BinaryOperator>(out.base);
    if (!binary || !binary->isAdditiveOp()) return out;
    const bool minus = binary->getOpcode() == BO_Sub;
    const auto right = constant_integer(binary->getRHS(), context);
    const auto left = minus ? std::nullopt : constant_integer(binary->getLHS(), context);
    if (!right && !left) return out;
    out.by += right ? (minus ? -*right : *right) : *left;
    out.base = strip(right ? binary->getLHS() : binary->getRHS());
  }
  return out;
}

bool holds_near_end(const ValueDecl* counter, long shift, BinaryOperatorKind op, const Expr* bound, const Stmt* loop,
                    const ASTContext& context) {
  const auto* counting = dyn_cast_or_null<ForStmt>(loop);
  const auto* condition =
      counting && counting->getCond() ? dyn_cast<BinaryOperator>(strip(counting->getCond())) : nullptr;
  if (!condition || named_decl(condition->getLHS()) != counter) return false;
  const BinaryOperatorKind goes_on = condition->getOpcode();
  if (goes_on != BO_LT && goes_on != BO_LE && goes_on != BO_NE) return false;
  Shifted last = shifted(condition->getRHS(), context);
  if (goes_on != BO_LE) last.by -= 1;
  const Shifted tested = shifted(bound, context);
  if (!same_base(last.base, tested.base, context)) return false;
  long before = last.by - (tested.by - shift);  // iterations from the one where the condition holds to the last
  if (op == BO_GT) before -= 1;
  return (op == BO_EQ || op == BO_GE || op == BO_GT) && before >= 0 && before < kFew;
}

}  // namespace syncsniff::facts
