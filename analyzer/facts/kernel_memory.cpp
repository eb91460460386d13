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

std::set<const Decl*> pointers_into(std::set<const Decl*> names, const Stmt* body) {
  for (size_t before = 0; before != names.size();) {
    before = names.size();
    for_each_stmt(body, [&](const Stmt* stmt) {
      if (const auto* declarations = dyn_cast<DeclStmt>(stmt)) {
        for (const Decl* decl : declarations->decls()) {
          const auto* var = dyn_cast<VarDecl>(decl);
          const bool keeps = var && (var->getType()->isPointerType() || var->getType()->isReferenceType());
          if (keeps && var->getInit() && names.count(pointed_into(var->getInit()))) names.insert(var);
        }
      }
      const Assignment a = assignment(stmt);
      const auto* to = a.left ? dyn_cast<DeclRefExpr>(strip(a.left)) : nullptr;
      if (to && to->getType()->isPointerType() && names.count(pointed_into(a.right))) names.insert(to->getDecl());
    });
  }
  return names;
}

}  // namespace syncsniff::facts
