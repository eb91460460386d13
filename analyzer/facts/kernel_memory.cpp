#include "analyzer/facts/kernel_memory.h"

#include <clang/AST/Stmt.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

const Decl* variable_of(const Expr* place) {
  const Expr* expr = strip(place);
  if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr)) return reference->getDecl();
  if (const auto* member = dyn_cast_or_null<MemberExpr>(expr)) return variable_of(member->getBase());
  if (const auto* element = dyn_cast_or_null<ArraySubscriptExpr>(expr)) return pointed_into(element->getBase());
  const auto* unary = dyn_cast_or_null<UnaryOperator>(expr);
  const bool names = unary && (unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf);
  return names ? pointed_into(unary->getSubExpr()) : nullptr;
}

const Decl* pointed_into(const Expr* address) {
  const auto* sum = dyn_cast_or_null<BinaryOperator>(strip(address));
  if (!sum || !sum->isAdditiveOp()) return variable_of(address);
  return pointed_into(sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS());
}

bool names_element(const Stmt* stmt) {
  const auto* unary = dyn_cast<UnaryOperator>(stmt);
  return isa<ArraySubscriptExpr>(stmt) || (unary && unary->getOpcode() == UO_Deref);
}

void add_made(std::set<const Decl*>& names, const Stmt* body,
              const std::function<bool(const ValueDecl*, const Expr*)>& makes) {
  const auto take = [&](const ValueDecl* variable, const Expr* value) {
    if (variable && value && makes(variable, value)) names.insert(variable);
  };
  for (size_t before = 0; before != names.size();) {
    before = names.size();
    for_each_stmt(body, [&](const Stmt* stmt) {
      if (const auto* declarations = dyn_cast<DeclStmt>(stmt)) {
        for (const Decl* decl : declarations->decls()) {
          if (const auto* var = dyn_cast<VarDecl>(decl)) take(var, var->getInit());
        }
      }
      const Assignment a = assignment(stmt);
      if (const auto* to = a.left ? dyn_cast<DeclRefExpr>(strip(a.left)) : nullptr) take(to->getDecl(), a.right);
    });
  }
}

std::set<const Decl*> pointers_into(std::set<const Decl*> names, const Stmt* body) {
  add_made(names, body, [&](const ValueDecl* variable, const Expr* value) {
    const auto* var = dyn_cast<VarDecl>(variable);
    const bool begins = var && var->getInit() == value;
    const QualType type = begins ? variable->getType() : variable->getType().getNonReferenceType();
    return (type->isPointerType() || type->isReferenceType()) && names.count(pointed_into(value)) != 0;
  });
  return names;
}

}  // namespace syncsniff::facts
