#include "analyzer/facts/getters.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const FieldDecl* own_field(const Expr* expr) {
  const auto* member = dyn_cast_or_null<MemberExpr>(strip(expr));
  if (!member || !isa<CXXThisExpr>(strip(member->getBase()))) return nullptr;
  return dyn_cast<FieldDecl>(member->getMemberDecl());
}

// Sets `field` to the field that all returns return; false: they return something else, or several fields.
bool returns_one_field(const Stmt* stmt, const FieldDecl*& field) {
  if (!stmt || isa<LambdaExpr>(stmt)) return true;
  if (const auto* returned = dyn_cast<ReturnStmt>(stmt)) {
    const FieldDecl* given = own_field(returned->getRetValue());
    if (!given || (field && field != given)) return false;
    field = given;
    return true;
  }
  return llvm::all_of(stmt->children(), [&](const Stmt* child) { return returns_one_field(child, field); });
}

// current = base + i * n; return current: each call returns another pointer. An assignment under an if does not count:
// it runs once, or when the buffer is too small.
bool sets_each_time(const Stmt* stmt, const FieldDecl* field) {
  if (!stmt || isa<LambdaExpr, IfStmt>(stmt)) return false;
  const auto* assigned = dyn_cast<BinaryOperator>(stmt);
  if (assigned && assigned->isAssignmentOp() && own_field(assigned->getLHS()) == field) return true;
  return llvm::any_of(stmt->children(), [&](const Stmt* child) { return sets_each_time(child, field); });
}

}  // namespace

FieldGetter getter_of_number(const Expr* expr) {
  const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(strip(expr));
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  const FunctionDecl* defined = method && !method->isVirtual() ? method->getDefinition() : nullptr;
  const auto* body = defined ? dyn_cast_or_null<CompoundStmt>(defined->getBody()) : nullptr;
  const auto* returned = body && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
  const FieldDecl* field = returned ? own_field(returned->getRetValue()) : nullptr;
  if (!field || !field->getType()->isIntegerType()) return {};
  return {call->getImplicitObjectArgument(), field};
}

FieldGetter field_getter(const Expr* expr) {
  const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(strip(expr));
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  if (!method || method->isVirtual() || !method->getReturnType()->isPointerType()) return {};
  const FunctionDecl* defined = method->getDefinition();
  const FieldDecl* field = nullptr;
  if (!defined || !returns_one_field(defined->getBody(), field) || !field) return {};
  if (sets_each_time(defined->getBody(), field)) return {};
  return {call->getImplicitObjectArgument(), field};
}

}  // namespace syncsniff::facts
