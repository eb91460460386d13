#include "analyzer/facts/made_once.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/getters.h"
#include "analyzer/facts/turning_calls.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// A number that an object keeps.
struct Kept {
  const ValueDecl* number = nullptr;
  const Expr* object = nullptr;
};

// tree.list and tree.list, this->list and list.
bool names_one_thing(const Expr* a, const Expr* b) {
  if (!a || !b) return a == b;
  a = without_star(a), b = without_star(b);
  if (isa<CXXThisExpr>(a)) return isa<CXXThisExpr>(b);
  if (!named_decl(a) || named_decl(a) != named_decl(b)) return false;
  const auto *field = dyn_cast<MemberExpr>(a), *other = dyn_cast<MemberExpr>(b);
  return !field || !other ? field == other : names_one_thing(field->getBase(), other->getBase());
}

// What ends with the call begins anew in the next one.
bool ends_with_call(const Expr* object) {
  object = without_star(object);
  while (const auto* member = dyn_cast<MemberExpr>(object)) object = without_star(member->getBase());
  const auto* var = dyn_cast_or_null<VarDecl>(named_decl(object));
  return var && var->hasLocalStorage() && !var->getType()->isReferenceType() && !var->getType()->isPointerType();
}

// Of another object than this one: what a class asks of itself, rarity.h judges.
Kept kept_number(const Expr* expr) {
  Kept kept;
  if (const auto* member = dyn_cast<MemberExpr>(strip(expr)); member && isa<FieldDecl>(member->getMemberDecl()))
    kept = {member->getMemberDecl(), member->getBase()};
  else if (const FieldGetter getter = getter_of_number(expr); getter.field)
    kept = {getter.field, getter.object};
  if (!kept.number || isa<CXXThisExpr>(without_star(kept.object)) || ends_with_call(kept.object)) return {};
  const QualType type = kept.number->getType();
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() ? kept : Kept{};
}

// The number that is zero, or below, where the expression is `positive`.
const Expr* zero_where(const Expr* expr, bool positive, const ASTContext& context) {
  expr = strip(expr);
  if (const Comparison sides = compared(expr, positive); sides.greater) {
    // 1 > n, 0 >= n; a number of objects is never below zero.
    const auto bound = constant_integer(sides.greater, context);
    const auto* binary = dyn_cast<BinaryOperator>(expr);
    const bool strict = binary && (binary->getOpcode() == BO_LT || binary->getOpcode() == BO_GT) == positive;
    return bound && *bound == (strict ? 1 : 0) ? sides.smaller : nullptr;
  }
  if (const auto test = equality(expr)) {
    if (test->equal != positive) return nullptr;
    if (constant_integer(test->right, context) == 0) return strip(test->left);
    return constant_integer(test->left, context) == 0 ? strip(test->right) : nullptr;
  }
  return positive ? nullptr : expr;
}

// Some statement of the branch sets the number of the same object.
bool sets(const Kept& kept, const Stmt* stmt, const Writes& writes, const ASTContext& context) {
  if (!stmt || isa<LambdaExpr>(stmt)) return false;
  if (const auto* set = dyn_cast<BinaryOperator>(stmt); set && set->getOpcode() == BO_Assign) {
    const auto* member = dyn_cast<MemberExpr>(strip(set->getLHS()));
    const bool same =
        member && member->getMemberDecl() == kept.number && names_one_thing(member->getBase(), kept.object);
    if (same && constant_integer(set->getRHS(), context) != 0) return true;
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const FunctionDecl* defined = method && !method->isVirtual() ? method->getDefinition() : nullptr;
    if (defined && names_one_thing(call->getImplicitObjectArgument(), kept.object) &&
        sets_whenever_run(defined, kept.number, writes, context))
      return true;
  }
  return llvm::any_of(stmt->children(), [&](const Stmt* child) { return sets(kept, child, writes, context); });
}

}  // namespace

bool makes_once(const Expr* expr, bool positive, const Stmt* branch, const Writes& writes, const ASTContext& context) {
  const Expr* zero = branch ? zero_where(expr, positive, context) : nullptr;
  const Kept kept = zero ? kept_number(zero) : Kept{};
  if (!kept.number) return false;
  const bool counted = std::ranges::any_of(writes.of(kept.number), [](const Write& write) {
    return write.how == Write::How::kStep && write.direction <= 0;
  });
  return !counted && sets(kept, branch, writes, context);
}

}  // namespace syncsniff::facts
