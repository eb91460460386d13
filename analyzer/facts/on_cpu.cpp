#include "analyzer/facts/on_cpu.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

enum class Named { kNeither, kCpu, kCuda };

// torch::kCPU, c10::DeviceType::CUDA, also inside a device that is made from it.
Named device_named(const Expr* expr) {
  Named found = Named::kNeither;
  for_each_expr(expr, [&](const Expr* e) {
    const auto* reference = dyn_cast<DeclRefExpr>(e);
    if (!reference || !is_device_type(reference->getType())) return;
    const IdentifierInfo* name = reference->getDecl()->getIdentifier();
    if (!name) return;
    if (name->isStr("kCPU") || name->isStr("CPU")) found = Named::kCpu;
    if (name->isStr("kCUDA") || name->isStr("CUDA")) found = Named::kCuda;
  });
  return found;
}

// device == torch::kCPU, tensor.device().type() != torch::kCUDA.
bool compares_with_cpu(const Term& term) {
  const auto test = equality(term.expr);
  if (!test || (!is_device_type(test->left->getType()) && !is_device_type(test->right->getType()))) return false;
  const Named left = device_named(test->left), right = device_named(test->right);
  const Named named = left == Named::kNeither ? right : left;
  return named == (test->equal == term.positive ? Named::kCpu : Named::kCuda);
}

// device.is_cpu(), !tensor.is_cuda(), !torch::cuda::is_available().
bool asks_for_cpu(const Term& term) {
  const auto* call = dyn_cast<CallExpr>(term.expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier()) return false;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    const QualType type = member->getImplicitObjectArgument()->getType();
    if (!is_tensor(type) && !is_device_type(type)) return false;
    return callee->getName() == (term.positive ? "is_cpu" : "is_cuda");
  }
  return !term.positive && api_name(callee) == "torch::cuda::is_available";
}

// if (!x.is_cuda()) x = x.cuda(): the branch exists to leave the CPU.
bool may_move(const Stmt* branch) {
  bool moves = false;
  for_each_expr(branch, [&](const Expr* e) {
    const auto* member = dyn_cast<MemberExpr>(e);
    const IdentifierInfo* name = member ? member->getMemberDecl()->getIdentifier() : nullptr;
    moves |= name && (name->isStr("to") || name->isStr("cuda") || name->isStr("copy_"));
    moves |= device_named(e) == Named::kCuda;
  });
  return moves;
}

}  // namespace

bool needs_cpu(const Term& term, const Stmt* branch) {
  return term.conjunct && branch && (compares_with_cpu(term) || asks_for_cpu(term)) && !may_move(branch);
}

}  // namespace syncsniff::facts
