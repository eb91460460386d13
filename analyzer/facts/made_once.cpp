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

// A number that is stored in an object.
struct Kept {
  const ValueDecl* number = nullptr;
  const Expr* object = nullptr;
};

// Whether both name the same object: tree.list and tree.list, this->list and list.
bool names_one_thing(const Expr* a, const Expr* b) {
  if (!a || !b) return a == b;
  a = without_star(a), b = without_star(b);
  if (isa<CXXThisExpr>(a)) return isa<CXXThisExpr>(b);
  if (!named_decl(a) || named_decl(a) != named_decl(b)) return false;
  const auto *field = dyn_cast<MemberExpr>(a), *other = dyn_cast<MemberExpr>(b);
  return !field || !other ? field == other : names_one_thing(field->getBase(), other->getBase());
}

// `tree` of tree.list; this object for a field of its own.
const Expr* outermost_object(const Expr* object) {
  object = without_star(object);
  while (const auto* member = dyn_cast<MemberExpr>(object)) object = without_star(member->getBase());
  return object;
}

// Whether the object does not outlive the call: it is new in each call, or the result of a call, such as the element
// that emplace_back() returns.
bool ends_with_call(const Expr* object) {
  constexpr int kDeepest = 8;  // references to references
  for (int depth = 0; depth < kDeepest; ++depth) {
    object = outermost_object(object);
    if (isa<CXXThisExpr>(object)) return false;
    const auto* var = dyn_cast_or_null<VarDecl>(named_decl(object));
    if (!var) return true;
    if (isa<ParmVarDecl>(var)) return !var->getType()->isReferenceType() && !var->getType()->isPointerType();
    if (!var->hasLocalStorage()) return false;
    if (!var->getType()->isReferenceType() && !var->getType()->isPointerType()) return true;
    object = var->getInit();
    if (!object) return true;
    object = strip(object);
    if (const auto* unary = dyn_cast<UnaryOperator>(object); unary && unary->getOpcode() == UO_AddrOf)
      object = unary->getSubExpr();
  }
  return true;
}

// tree.list = List(), std::swap(tree.list, other): the whole object is replaced.
bool is_replaced(const Expr* object, const Writes& writes) {
  const ValueDecl* decl = named_decl(without_star(object));
  return decl && std::ranges::any_of(writes.of(decl), [](const Write& write) {
           if (write.initial) return false;
           if (write.how == Write::How::kSet) return true;
           const auto* call = dyn_cast_or_null<CallExpr>(write.at);
           const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
           return callee && callee->getIdentifier() && callee->getName() == "swap";
         });
}

const CXXRecordDecl* class_of_root(const Expr* object) {
  const QualType type = outermost_object(object)->getType().getNonReferenceType();
  return (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
}

bool is_size(const Expr* value) {
  value = strip(value);
  if (isa<DeclRefExpr, MemberExpr, UnaryExprOrTypeTraitExpr>(value)) return true;
  if (const auto* number = dyn_cast<IntegerLiteral>(value)) return number->getValue() != 0;
  const auto* binary = dyn_cast<BinaryOperator>(value);
  return binary && (binary->getOpcode() == BO_Add || binary->getOpcode() == BO_Mul) && is_size(binary->getLHS()) &&
         is_size(binary->getRHS());
}

// The number must belong to another object than this one: rarity.h judges conditions on an object's own fields.
Kept number_it_keeps(const Expr* expr) {
  Kept kept;
  if (const auto* member = dyn_cast<MemberExpr>(strip(expr)); member && isa<FieldDecl>(member->getMemberDecl()))
    kept = {member->getMemberDecl(), member->getBase()};
  else if (const FieldGetter getter = getter_of_number(expr); getter.field)
    kept = {getter.field, getter.object};
  if (!kept.number || isa<CXXThisExpr>(without_star(kept.object)) || ends_with_call(kept.object)) return {};
  const QualType type = kept.number->getType();
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() ? kept : Kept{};
}

// The number that is zero or negative if `expr` is `positive`.
const Expr* zero_where(const Expr* expr, bool positive, const ASTContext& context) {
  expr = strip(expr);
  if (const Comparison sides = compared(expr, positive); sides.greater) {
    // 1 > n, 0 >= n; a count is never negative.
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

// The function in which a statement of the branch sets the number of the same object; null: none.
const FunctionDecl* setter_in(const Stmt* stmt, const Kept& kept, const FunctionDecl* function, const Writes& writes,
                              const ASTContext& context) {
  if (!stmt || isa<LambdaExpr>(stmt)) return nullptr;
  if (const auto* set = dyn_cast<BinaryOperator>(stmt); set && set->getOpcode() == BO_Assign) {
    const auto* member = dyn_cast<MemberExpr>(strip(set->getLHS()));
    const bool same =
        member && member->getMemberDecl() == kept.number && names_one_thing(member->getBase(), kept.object);
    if (same && is_size(set->getRHS())) return function;
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const FunctionDecl* defined = method && !method->isVirtual() ? method->getDefinition() : nullptr;
    if (defined && names_one_thing(call->getImplicitObjectArgument(), kept.object) &&
        sets_whenever_run(defined, kept.number, writes, context))
      return defined;
  }
  for (const Stmt* child : stmt->children())
    if (const FunctionDecl* found = setter_in(child, kept, function, writes, context)) return found;
  return nullptr;
}

}  // namespace

bool may_be_zero(const Write& write) {
  if (write.how == Write::How::kStep) return write.direction <= 0;
  if (write.how != Write::How::kSet) return true;
  if (write.value) return *write.value == 0;
  const auto* set = dyn_cast_or_null<BinaryOperator>(write.at);
  return !set || set->getOpcode() != BO_Assign || !is_size(set->getRHS());
}

MadeOnce made_once(const Expr* expr, bool positive, const Stmt* branch, const FunctionDecl* function,
                   const Writes& writes, const ASTContext& context) {
  const Expr* zero = branch ? zero_where(expr, positive, context) : nullptr;
  const Kept kept = zero ? number_it_keeps(zero) : Kept{};
  if (!kept.number || !function || is_replaced(kept.object, writes)) return {};
  if (writes.is_made_in_steps(class_of_root(kept.object))) return {};
  const FunctionDecl* by = setter_in(branch, kept, function, writes, context);
  if (!by) return {};
  // Writes in `by` are not looked at when all units are known, so those in this function are checked here.
  const bool back_here = std::ranges::any_of(writes.of(kept.number), [&](const Write& write) {
    return !write.initial && write.in == function && may_be_zero(write);
  });
  return back_here ? MadeOnce{} : MadeOnce{kept.number, by};
}

}  // namespace syncsniff::facts
