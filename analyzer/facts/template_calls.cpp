#include "analyzer/facts/template_calls.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <compare>
#include <optional>

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostTemplates = 100;

// The name of a namespace's function template. Nothing for a member of a class, or of a namespace without a name.
std::optional<TemplateName> name_of(const FunctionTemplateDecl* function) {
  TemplateName found{{}, function->getIdentifier() ? function->getName().str() : ""};
  if (found.name.empty()) return std::nullopt;
  for (const DeclContext* context = function->getDeclContext(); !context->isTranslationUnit();
       context = context->getParent()) {
    if (isa<LinkageSpecDecl>(context)) continue;
    const auto* space = dyn_cast<NamespaceDecl>(context);
    if (!space || !space->getIdentifier()) return std::nullopt;
    if (!space->isInline()) found.scope.insert(found.scope.begin(), space->getName().str());
  }
  return found;
}

class TemplateCalls : public RecursiveASTVisitor<TemplateCalls> {
 public:
  TemplateCalls(const ASTContext& context, const ProjectFiles& project) : context_(context), project_(project) {}

  bool VisitCallExpr(CallExpr* call) {  // NOLINT(readability-identifier-naming): Clang calls it by this name
    const auto* callee = dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreParens());
    if (!callee || llvm::none_of(call->arguments(), [](const Expr* argument) { return argument->containsErrors(); }))
      return true;
    for (const NamedDecl* candidate : callee->decls()) {
      const auto* function = dyn_cast<FunctionTemplateDecl>(candidate->getUnderlyingDecl());
      if (!function || function->isInStdNamespace()) continue;
      if (project_.contains(function->getLocation(), context_.getSourceManager())) continue;
      if (std::optional<TemplateName> name = name_of(function)) found.insert(*std::move(name));
    }
    return found.size() < kMostTemplates;
  }

  std::set<TemplateName> found;

 private:
  const ASTContext& context_;
  const ProjectFiles& project_;
};

}  // namespace

std::set<TemplateName> templates_of_unknown_arguments(const std::vector<const FunctionDecl*>& functions,
                                                      const ProjectFiles& project) {
  if (functions.empty()) return {};
  TemplateCalls calls(functions.front()->getASTContext(), project);
  for (const FunctionDecl* function : functions)
    if (Stmt* body = function->getBody())
      if (!calls.TraverseStmt(body)) break;
  return std::move(calls.found);
}

}  // namespace syncsniff::facts
