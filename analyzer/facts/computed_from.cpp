// What a condition or a function's result is computed from: the calls and variables in it, and what those variables
// were assigned in the same function.
#include <clang/AST/StmtCXX.h>

#include <set>

#include "analyzer/facts/names.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostAsked = 32;
constexpr int kMostVariablesBetween = 3;  // number of variables from one to the next
constexpr size_t kMostWrites = 4;

bool asks_for_finiteness(const FunctionDecl* callee) {
  static const std::set<std::string> kTests = {"isnan",
                                               "isinf",
                                               "isfinite",
                                               "std::isnan",
                                               "std::isinf",
                                               "std::isfinite",
                                               "at::isnan",
                                               "at::isinf",
                                               "at::isfinite",
                                               "at::Tensor::isnan",
                                               "at::Tensor::isinf",
                                               "at::Tensor::isfinite",
                                               "__builtin_isnan",
                                               "__builtin_isinf_sign",
                                               "__builtin_isfinite",
                                               "__isnanf",
                                               "__isnan",
                                               "__isinff",
                                               "__isinf",
                                               "__finitef",
                                               "__finite"};
  return callee && kTests.count(api_name(callee)) != 0;
}

struct SourceSearch {
  const Values& values;
  const Writes& writes;
  const FunctionDecl* function;
  ComputedFrom found;
  std::set<const ValueDecl*> seen;

  void look(const Stmt* stmt, int steps) {
    if (!stmt || found.events.size() + found.nodes.size() >= kMostAsked) return;
    if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(stmt)) return;
    // Values that a tensor is computed from go through the device once more before the host reads the result, so they
    // are not followed.
    if (const auto* expr = dyn_cast<Expr>(stmt); expr && is_tensor(expr->getType())) return look_for_finiteness(stmt);
    if (const auto* call = dyn_cast<CallExpr>(stmt)) {
      if (const int event = values.event_of(call); event >= 0) found.events.push_back(event);
      found.finiteness |= asks_for_finiteness(call->getDirectCallee());
      for (const Stmt* child : call->children()) {
        // cudaMemcpy(&x, ...) takes an address: its status is not computed from x.
        const auto* arg = dyn_cast_or_null<Expr>(child);
        const bool place = arg && child != call->getCallee() && arg->getType()->isPointerType();
        if (!place) look(child, steps);
      }
      return;
    }
    if (const auto* construct = dyn_cast<CXXConstructExpr>(stmt)) {
      if (const int event = values.event_of(construct); event >= 0) found.events.push_back(event);
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(stmt); binary && binary->isEqualityOp()) {
      const ValueDecl* left = named_decl(binary->getLHS());
      found.finiteness |= left && left->getType()->isFloatingType() && left == named_decl(binary->getRHS());
    }
    if (const auto* reference = dyn_cast<DeclRefExpr>(stmt)) {
      if (const auto* var = dyn_cast<VarDecl>(reference->getDecl())) variable(var, steps);
    }
    if (const auto* member = dyn_cast<MemberExpr>(stmt)) {
      if (const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl())) found.nodes.push_back(node_of(field));
    }
    for (const Stmt* child : stmt->children()) look(child, steps);
  }

  void look_for_finiteness(const Stmt* stmt) {
    if (!stmt || found.finiteness) return;
    if (const auto* call = dyn_cast<CallExpr>(stmt)) found.finiteness = asks_for_finiteness(call->getDirectCallee());
    for (const Stmt* child : stmt->children()) look_for_finiteness(child);
  }

  void variable(const VarDecl* var, int steps) {
    if (!seen.insert(var).second) return;
    found.nodes.push_back(node_of(var));
    if (!var->isLocalVarDecl() || steps >= kMostVariablesBetween) return;
    const std::vector<Write>& all = writes.of(var);
    if (all.size() > kMostWrites) return;
    for (const Write& write : all) {
      if (write.how == Write::How::kUnknown || write.in != function) continue;
      if (isa_and_nonnull<DeclStmt>(write.at))
        look(var->getInit(), steps + 1);
      else if (const auto* binary = dyn_cast_or_null<BinaryOperator>(write.at))
        look(binary->getRHS(), steps + 1);
    }
  }
};

}  // namespace

ComputedFrom FunctionWalker::computed_from(const Expr* expr) const {
  SourceSearch search{values_, writes_, decl_, {}, {}};
  search.look(expr, 0);
  return std::move(search.found);
}

}  // namespace syncsniff::facts
