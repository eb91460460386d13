#include "analyzer/facts/replacements.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// A field, a static or global variable, or a reference, which may refer to one.
bool outlives_call(const ValueDecl* object) {
  const auto* var = dyn_cast<VarDecl>(object);
  return !var || var->hasGlobalStorage() || var->getType()->isReferenceType();
}

bool is_call(const Expr* expr) { return expr && isa<CallExpr>(strip(expr)); }

// The object of stream.valid() or stream.handle(): a method without arguments.
const ValueDecl* object_of_query(const Expr* expr) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(strip(expr));
  if (!call || call->getNumArgs() != 0) return nullptr;
  return named_decl(call->getImplicitObjectArgument());
}

}  // namespace

bool makes_what_was_missing(const Expr* condition, bool holds, const Stmt* branch) {
  const Expr* expr = condition ? strip(condition) : nullptr;
  for (const auto* no = dyn_cast_or_null<UnaryOperator>(expr); no && no->getOpcode() == UO_LNot;
       no = dyn_cast<UnaryOperator>(expr)) {
    expr = strip(no->getSubExpr());
    holds = !holds;
  }
  if (!expr || holds) return false;
  if (const ValueDecl* object = object_of_query(expr)) return outlives_call(object) && assigned_to(object, branch);
  const auto* flag = dyn_cast_or_null<VarDecl>(named_decl(expr));
  return flag && flag->isLocalVarDecl() && flag->getType()->isBooleanType() && is_call(flag->getInit()) &&
         is_call(assigned_to(flag, branch));
}

}  // namespace syncsniff::facts
