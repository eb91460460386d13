#include "analyzer/facts/kernel_updates.h"

#include <clang/AST/ExprCXX.h>

#include <set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/kernel_memory.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepestUpdateCalls = 4;  // depth of calls

class MemoryUse {
 public:
  void read(const FunctionDecl* function, unsigned parameter, int depth) {
    const FunctionDecl* defined = function ? function->getDefinition() : nullptr;
    if (!defined || !defined->hasBody() || parameter >= defined->getNumParams()) return;
    const ParmVarDecl* target = defined->getParamDecl(parameter);
    const QualType type = target->getType();
    if ((!type->isPointerType() && !type->isReferenceType()) || !open_.insert(target).second) return;
    const std::set<const Decl*> names = pointers_into({target}, defined->getBody());
    read_accesses(names, defined->getBody());
    if (depth < kDeepestUpdateCalls) read_calls(names, defined->getBody(), depth);
  }
  bool stores = false, reads = false;
  bool reads_besides_sums = false;  // other than in h[i] += x

 private:
  void read_accesses(const std::set<const Decl*>& names, const Stmt* body) {
    std::set<const Stmt*> not_read;  // the element in `h[i] = x`, and in `&h[i]`
    std::set<const Stmt*> summed;    // the element in `h[i] += x`
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
      if (!element || !names_element(stmt) || not_read.count(element) || !names.count(variable_of(element))) return;
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
