#include "analyzer/facts/kernel_updates.h"

#include <clang/AST/ExprCXX.h>

#include <set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepest = 4;  // calls behind each other

// The variable through which a place is named: p of p[i], *(p + i), p->field, and of `p` itself.
const Decl* variable_of(const Expr* place);

// p, p + i, &p[i]: the variable whose memory the address lies in.
const Decl* pointed_into(const Expr* address) {
  const auto* sum = dyn_cast_or_null<BinaryOperator>(strip(address));
  if (!sum || !sum->isAdditiveOp()) return variable_of(address);
  return pointed_into(sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS());
}

const Decl* variable_of(const Expr* place) {
  const Expr* expr = strip(place);
  if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr)) return reference->getDecl();
  if (const auto* member = dyn_cast_or_null<MemberExpr>(expr)) return variable_of(member->getBase());
  if (const auto* element = dyn_cast_or_null<ArraySubscriptExpr>(expr)) return pointed_into(element->getBase());
  const auto* unary = dyn_cast_or_null<UnaryOperator>(expr);
  const bool names = unary && (unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf);
  return names ? pointed_into(unary->getSubExpr()) : nullptr;
}

class MemoryUse {
 public:
  void read(const FunctionDecl* function, unsigned parameter, int depth) {
    const FunctionDecl* defined = function ? function->getDefinition() : nullptr;
    if (!defined || !defined->hasBody() || parameter >= defined->getNumParams()) return;
    const ParmVarDecl* target = defined->getParamDecl(parameter);
    const QualType type = target->getType();
    if ((!type->isPointerType() && !type->isReferenceType()) || !open_.insert(target).second) return;
    const std::set<const Decl*> names = names_of(target, defined->getBody());
    read_accesses(names, defined->getBody());
    if (depth < kDeepest) read_calls(names, defined->getBody(), depth);
  }
  bool stores = false, reads = false;
  bool reads_besides_sums = false;  // other than in h[i] += x

 private:
  // float* row = x + n; row += m; T& cell = x[i];
  static std::set<const Decl*> names_of(const ParmVarDecl* parameter, const Stmt* body) {
    std::set<const Decl*> names{parameter};
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

  void read_accesses(const std::set<const Decl*>& names, const Stmt* body) {
    std::set<const Stmt*> not_read;  // the element in `h[i] = x`, and in `&h[i]`
    std::set<const Stmt*> summed;    // that in `h[i] += x`
    for_each_stmt(body, [&](const Stmt* stmt) {
      const auto* address = dyn_cast<UnaryOperator>(stmt);
      if (address && address->getOpcode() == UO_AddrOf) not_read.insert(strip(address->getSubExpr()));
      const Assignment a = assignment(stmt);
      if (!a.left || !names.count(variable_of(a.left))) return;
      const auto* variable = dyn_cast<DeclRefExpr>(strip(a.left));
      if (variable && !variable->getDecl()->getType()->isReferenceType()) return;
      stores = true;
      if (!a.compound) not_read.insert(strip(a.left));
      const auto* op = dyn_cast<BinaryOperator>(stmt);
      if (op && (op->getOpcode() == BO_AddAssign || op->getOpcode() == BO_SubAssign)) summed.insert(strip(a.left));
    });
    for_each_stmt(body, [&](const Stmt* stmt) {
      const auto* element = dyn_cast<Expr>(stmt);
      const auto* unary = dyn_cast<UnaryOperator>(stmt);
      const bool is_element = isa<ArraySubscriptExpr>(stmt) || (unary && unary->getOpcode() == UO_Deref);
      if (!element || !is_element || not_read.count(element) || !names.count(variable_of(element))) return;
      reads = true;
      reads_besides_sums |= summed.count(element) == 0;
    });
  }

  void read_calls(const std::set<const Decl*>& names, const Stmt* body, int depth) {
    for_each_stmt(body, [&](const Stmt* stmt) {
      const auto* call = dyn_cast<CallExpr>(stmt);
      const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      if (!callee || isa<CXXOperatorCallExpr>(call)) return;
      for (unsigned i = 0; i < call->getNumArgs(); ++i) {
        const QualType type = call->getArg(i)->getType();
        if ((type->isPointerType() || call->getArg(i)->isLValue()) && names.count(pointed_into(call->getArg(i))))
          read(callee, i, depth + 1);
      }
    });
  }

  std::set<const ParmVarDecl*> open_;
};

}  // namespace

Update update_of(const FunctionDecl* kernel, unsigned parameter) {
  if (!kernel || parameter >= kernel->getNumParams()) return Update::kNone;
  const QualType type = kernel->getParamDecl(parameter)->getType();
  if (!type->isPointerType() || type->getPointeeType().isConstQualified()) return Update::kNone;
  MemoryUse use;
  use.read(kernel, parameter, 0);
  if (!use.stores || !use.reads) return Update::kNone;
  return use.reads_besides_sums ? Update::kGoesOn : Update::kSum;
}

}  // namespace syncsniff::facts
