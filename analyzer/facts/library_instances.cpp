#include "analyzer/facts/library_instances.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/own_allocators.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
 public:
  Finder(Sema& sema, const ProjectFiles& project) : sema_(sema), project_(project) {}

  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->isInStdNamespace()) {
      for (const Expr* argument : call->arguments()) {
        const CXXRecordDecl* record = ask_for_calls_of(argument);
        // std::for_each(layers.begin(), layers.end(), [&](auto& layer) { ... })
        if (record && record->isGenericLambda())
          call_with_element(argument, call->getArg(0), record->getLambdaCallOperator()->getNumParams());
      }
    }
    const QualType made = made_in_library(call).type;
    const CXXRecordDecl* record = made.isNull() ? nullptr : made->getAsCXXRecordDecl();
    if (!record || !is_of_project(record) || !sema_.isCompleteType(call->getExprLoc(), made)) return true;
    if (const CXXConstructorDecl* constructor = constructor_in_library(call)) ask_for(constructor, call->getExprLoc());
    ask_for_ending(record, call->getExprLoc());
    return true;
  }
  // Registry("relu", &relu<float>), which Clang could not resolve: the function that it would call is instantiated
  // nevertheless.
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr* named) {
    const NamedDecl* only = named->getNumDecls() == 1 ? (*named->decls_begin())->getUnderlyingDecl() : nullptr;
    const bool known = named->hasExplicitTemplateArgs() &&
                       llvm::none_of(named->template_arguments(), [](const TemplateArgumentLoc& argument) {
                         return argument.getArgument().isDependent();
                       });
    if (!known || !isa_and_nonnull<FunctionTemplateDecl>(only) || only->isInvalidDecl() ||
        !project_.contains(only->getLocation(), sema_.getSourceManager()))
      return true;
    if (FunctionDecl* function = sema_.ResolveSingleFunctionTemplateSpecialization(named))
      sema_.MarkFunctionReferenced(named->getExprLoc(), function);
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    const AllocatorMethods methods = allocator_methods(variable->getType());
    for (const CXXMethodDecl* method : {methods.allocate, methods.deallocate})
      if (method && project_.contains(method->getLocation(), sema_.getSourceManager()))
        ask_for(method, variable->getLocation());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    // std::thread(Worker<float>{...}), std::function<void()>(Worker<float>{...})
    if (made->getConstructor()->getParent()->isInStdNamespace())
      for (const Expr* argument : made->arguments()) ask_for_calls_of(argument);
    const CXXConstructorDecl* constructor = constructor_of_elements(made);
    if (!constructor) return true;
    ask_for(constructor, made->getExprLoc());
    ask_for_ending(constructor->getParent(), made->getExprLoc());
    return true;
  }

 private:
  bool is_of_project(const CXXRecordDecl* record) const {
    return project_.contains(record->getLocation(), sema_.getSourceManager());
  }

  void ask_for_ending(const CXXRecordDecl* record, SourceLocation at) {
    if (!record->hasDefinition() || !isa<ClassTemplateSpecializationDecl>(record)) return;
    if (const CXXDestructorDecl* destructor = record->getDestructor()) ask_for(destructor, at);
    sema_.MarkVTableUsed(at, const_cast<CXXRecordDecl*>(record));
  }

  // Functors of class templates, such as Run<Layer> in std::for_each(first, last, Run<Layer>{x}).
  const CXXRecordDecl* ask_for_calls_of(const Expr* argument) {
    const CXXRecordDecl* record = argument->getType()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || !is_of_project(record)) return nullptr;
    for (const CXXMethodDecl* method : record->methods())
      if (method->getOverloadedOperator() == OO_Call) ask_for(method, argument->getExprLoc());
    return record;
  }

  // Instantiates what the algorithm does in its skipped body: callable(*iterator), or the same with two elements. If
  // the callable cannot be called so, nothing is instantiated.
  void call_with_element(const Expr* callable, const Expr* iterator, unsigned parameters) {
    const Sema::TentativeAnalysisScope quiet(sema_);
    const SourceLocation at = callable->getExprLoc();
    const auto stand_in = [&](const Expr* expr) {
      return new (sema_.getASTContext()) OpaqueValueExpr(at, expr->getType().getNonReferenceType(), VK_LValue);
    };
    if (callable == iterator || iterator->getType()->isIntegralOrEnumerationType()) return;
    const ExprResult element = sema_.BuildUnaryOp(nullptr, at, UO_Deref, stand_in(iterator));
    if (element.isInvalid()) return;
    llvm::SmallVector<Expr*, 2> arguments(parameters, element.get());
    sema_.BuildCallExpr(nullptr, stand_in(callable), at, arguments, at);
  }

  void ask_for(const CXXMethodDecl* tested, SourceLocation at) {
    auto* method = const_cast<CXXMethodDecl*>(tested);
    if (method->isDefined() || method->instantiationIsPending()) return;
    if (method->getTemplateSpecializationKind() != TSK_ImplicitInstantiation) return;
    const FunctionDecl* pattern = method->getTemplateInstantiationPattern();
    if (!pattern || !pattern->isDefined()) return;
    method->setInstantiationIsPending(true);
    sema_.PendingInstantiations.emplace_back(method, at);
  }

  Sema& sema_;
  const ProjectFiles& project_;
};

}  // namespace

void ask_for_library_instances(DeclGroupRef group, const ProjectFiles& project, Sema& sema) {
  for (Decl* decl : group) {
    const auto* function = dyn_cast<FunctionDecl>(decl);
    if (function && function->isDependentContext()) continue;
    if (project.contains(decl->getLocation(), sema.getSourceManager())) Finder(sema, project).TraverseDecl(decl);
  }
}

}  // namespace syncsniff::facts
