#include "analyzer/facts/fetched_values.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// The if statements in `stmt` that have `at` in one of their branches.
bool find_ifs(const Stmt* stmt, const Stmt* at, std::vector<const IfStmt*>& around) {
  if (!stmt) return false;
  if (stmt == at) return true;
  const auto* choice = dyn_cast<IfStmt>(stmt);
  for (const Stmt* child : stmt->children()) {
    if (!find_ifs(child, at, around)) continue;
    if (choice && child != choice->getCond()) around.push_back(choice);
    return true;
  }
  return false;
}

bool reads_element(const Expr* expr) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(expr);
  const auto* method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && method->getName() == "item" &&
         is_tensor(call->getImplicitObjectArgument()->getType());
}

// Variables that a copy writes, or that are assigned an element of a tensor.
std::set<const ValueDecl*> fetched_in(const Stmt* branch, const ApiTable& apis) {
  std::set<const ValueDecl*> out;
  for_each_expr(branch, [&](const Expr* expr) {
    const auto* call = dyn_cast<CallExpr>(expr);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const ApiFact* api = callee ? fact_of(callee, apis) : nullptr;
    for (unsigned i = 0; api && api->copy && i < call->getNumArgs(); ++i) {
      const auto* address = dyn_cast_or_null<UnaryOperator>(strip(call->getArg(i)));
      if (address && address->getOpcode() == UO_AddrOf) out.insert(named_decl(strip(address->getSubExpr())));
    }
    if (const auto* set = dyn_cast<BinaryOperator>(expr); set && set->isAssignmentOp()) {
      bool reads = false;
      for_each_expr(set->getRHS(), [&](const Expr* e) { reads |= reads_element(e); });
      if (reads) out.insert(named_decl(strip(set->getLHS())));
    }
  });
  out.erase(nullptr);
  return out;
}

}  // namespace

bool depends_on_fetched(const Stmt* at, const Stmt* branch, const ApiTable& apis) {
  std::vector<const IfStmt*> around;
  if (!find_ifs(branch, at, around) || around.empty()) return false;
  const std::set<const ValueDecl*> fetched = fetched_in(branch, apis);
  return std::any_of(around.begin(), around.end(), [&](const IfStmt* choice) {
    bool asks = false;
    for_each_expr(choice->getCond(), [&](const Expr* expr) {
      asks |= reads_element(expr) || fetched.count(named_decl(expr)) != 0;
      const auto* reference = dyn_cast<DeclRefExpr>(expr);
      const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      if (var && var->isLocalVarDecl() && var->getInit())
        for_each_expr(var->getInit(), [&](const Expr* e) { asks |= reads_element(e); });
    });
    return asks;
  });
}

}  // namespace syncsniff::facts
