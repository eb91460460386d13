#include "analyzer/facts/hidden_calls.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/containers.h"
#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// X of a specialization of LibTorch's class template with X; null for a program's own Function<X>.
const CXXRecordDecl* first_type_argument(const CXXRecordDecl* record, StringRef template_name) {
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!spec || !spec->getIdentifier() || !template_name.ends_with(spec->getName()) || !spec->getTemplateArgs().size() ||
      spec->getQualifiedNameAsString() != template_name)
    return nullptr;
  const TemplateArgument& argument = spec->getTemplateArgs()[0];
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType()->getAsCXXRecordDecl() : nullptr;
}

}  // namespace

const CXXMethodDecl* own_method_named(const CXXRecordDecl* record, StringRef name) {
  if (!record || !record->hasDefinition()) return nullptr;
  for (const CXXMethodDecl* method : record->methods()) {
    if (method->getIdentifier() && method->getName() == name) return method;
  }
  return nullptr;
}

const FunctionDecl* held_forward(const CallExpr* call) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (!op || op->getOperator() != OO_Call || !op->getNumArgs()) return nullptr;
  const CXXRecordDecl* record = op->getArg(0)->getType().getCanonicalType()->getAsCXXRecordDecl();
  while (record && record->hasDefinition()) {
    // ModuleHolder's own body is in LibTorch's headers.
    if (const CXXRecordDecl* held = first_type_argument(record, "torch::nn::ModuleHolder"))
      return own_method_named(held, "forward");
    record = record->getNumBases() ? record->bases_begin()->getType()->getAsCXXRecordDecl() : nullptr;
  }
  return nullptr;
}

AutogradPasses autograd_passes(const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!method || !method->getIdentifier() || method->getName() != "apply") return {};
  const CXXRecordDecl* function = first_type_argument(method->getParent(), "torch::autograd::Function");
  return {own_method_named(function, "forward"), own_method_named(function, "backward")};
}

bool is_autograd_pass(const FunctionDecl* function) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || !method->isStatic() || !method->getParent()->hasDefinition()) return false;
  return std::any_of(method->getParent()->bases_begin(), method->getParent()->bases_end(), [](const auto& base) {
    return first_type_argument(base.getType()->getAsCXXRecordDecl(), "torch::autograd::Function") != nullptr;
  });
}

std::vector<EndOfLife> ends_of_life(const CompoundStmt* block) {
  std::vector<EndOfLife> found;
  for (const Stmt* stmt : block->body()) {
    const auto* declaration = dyn_cast<DeclStmt>(stmt);
    if (!declaration) continue;
    for (const Decl* decl : declaration->decls()) {
      const auto* var = dyn_cast<VarDecl>(decl);
      if (!var || !var->hasLocalStorage()) continue;
      // An owner that begins empty: the object that it gets later, if any, is recorded where that is made.
      const auto* made = var->getInit() ? dyn_cast<CXXConstructExpr>(strip(var->getInit())) : nullptr;
      if (is_smart_pointer(var->getType()) && made && made->getNumArgs() == 0) continue;
      std::vector<const CXXDestructorDecl*> ends = destructors_of(var->getType());
      for (auto end = ends.rbegin(); end != ends.rend(); ++end) found.push_back({var, *end});
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace syncsniff::facts
