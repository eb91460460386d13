#include "analyzer/facts/hidden_calls.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const FunctionDecl* method_named(const CXXRecordDecl* record, StringRef name) {
  if (!record || !record->hasDefinition()) return nullptr;
  for (const CXXMethodDecl* method : record->methods()) {
    if (method->getIdentifier() && method->getName() == name) return method;
  }
  return nullptr;
}

const CXXRecordDecl* first_type_argument(const CXXRecordDecl* record, StringRef template_name) {
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!spec || !spec->getIdentifier() || spec->getName() != template_name || !spec->getTemplateArgs().size()) {
    return nullptr;
  }
  const TemplateArgument& argument = spec->getTemplateArgs()[0];
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType()->getAsCXXRecordDecl() : nullptr;
}

// Operations whose result is truth values.
constexpr const char* kTests[] = {
    "gt",         "ge",          "lt",         "le",    "eq",       "ne",      "greater",   "greater_equal",
    "less",       "less_equal",  "isnan",      "isinf", "isfinite", "isclose", "not_equal", "logical_and",
    "logical_or", "logical_not", "logical_xor"};

// A tensor of truth values, as far as its expression tells: a comparison, or a variable made from one.
bool is_condition(const Expr* expr, int depth = 0) {
  expr = strip(expr);
  if (!expr || depth > 4) return false;
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
    return construct->getNumArgs() == 1 && is_condition(construct->getArg(0), depth + 1);
  }
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    switch (op->getOperator()) {
      case OO_Less:
      case OO_LessEqual:
      case OO_Greater:
      case OO_GreaterEqual:
      case OO_EqualEqual:
      case OO_ExclaimEqual:
        return true;
      case OO_Tilde:
      case OO_Amp:
      case OO_Pipe:
        return is_condition(op->getArg(0), depth + 1);
      default:
        return false;
    }
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    const FunctionDecl* callee = call->getDirectCallee();
    return callee && callee->getIdentifier() &&
           std::any_of(std::begin(kTests), std::end(kTests), [&](StringRef test) { return callee->getName() == test; });
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var && var->isLocalVarDecl() && is_condition(var->getInit(), depth + 1);
  }
  return false;
}

bool holds_condition(const Expr* expr) {
  expr = strip(expr);
  if (!expr) return false;
  if (is_tensor(expr->getType())) return is_condition(expr);
  const auto of_child = [](const Stmt* child) {
    const auto* inner = dyn_cast_or_null<Expr>(child);
    return inner && holds_condition(inner);
  };
  return std::any_of(expr->child_begin(), expr->child_end(), of_child);
}

}  // namespace

const FunctionDecl* held_forward(const CallExpr* call) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (!op || op->getOperator() != OO_Call || !op->getNumArgs()) return nullptr;
  const CXXRecordDecl* record = op->getArg(0)->getType().getCanonicalType()->getAsCXXRecordDecl();
  while (record && record->hasDefinition()) {
    // ModuleHolder's own body stands in LibTorch's headers.
    if (const CXXRecordDecl* held = first_type_argument(record, "ModuleHolder")) return method_named(held, "forward");
    record = record->getNumBases() ? record->bases_begin()->getType()->getAsCXXRecordDecl() : nullptr;
  }
  return nullptr;
}

AutogradPasses autograd_passes(const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!method || !method->getIdentifier() || method->getName() != "apply") return {};
  const CXXRecordDecl* function = first_type_argument(method->getParent(), "Function");
  return {method_named(function, "forward"), method_named(function, "backward")};
}

std::vector<EndOfLife> ends_of_life(const CompoundStmt* block) {
  std::vector<EndOfLife> found;
  for (const Stmt* stmt : block->body()) {
    const auto* declaration = dyn_cast<DeclStmt>(stmt);
    if (!declaration) continue;
    for (const Decl* decl : declaration->decls()) {
      const auto* var = dyn_cast<VarDecl>(decl);
      if (!var || !var->hasLocalStorage()) continue;
      const CXXRecordDecl* record = var->getType().getCanonicalType()->getAsCXXRecordDecl();
      if (!record || !record->hasDefinition()) continue;
      const CXXDestructorDecl* destructor = record->getDestructor();
      if (destructor && destructor->isUserProvided()) found.push_back({var, destructor});
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string selection_by_values(const CallExpr* call, const std::string& name) {
  if (name == "at::where") return call->getDirectCallee()->getNumParams() == 1 ? "at::where(condition)" : "";
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  if (name == "at::Tensor::index" && member && member->getNumArgs() && holds_condition(member->getArg(0))) {
    return "at::Tensor::index(mask)";
  }
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (name == "at::Tensor::operator[]" && op && op->getNumArgs() == 2 && is_tensor(strip(op->getArg(1))->getType()) &&
      is_condition(op->getArg(1))) {
    return "at::Tensor::index(mask)";
  }
  return {};
}

}  // namespace syncsniff::facts
