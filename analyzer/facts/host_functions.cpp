#include "analyzer/facts/host_functions.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

class FunctionCollector : public RecursiveASTVisitor<FunctionCollector> {
 public:
  FunctionCollector(const ASTContext& context, HostFunctions& out) : context_(context), out_(out) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl* decl) {
    if (decl->isDependentContext() || !decl->doesThisDeclarationHaveABody() || !decl->hasBody()) return true;
    if (decl->hasAttr<CUDADeviceAttr>() && !decl->hasAttr<CUDAHostAttr>()) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(decl);
    if (method && method->getParent()->isLambda()) return true;
    out_.with_bodies.push_back(decl);
    return true;
  }

  bool TraverseIfStmt(IfStmt* stmt) {
    const auto taken = constant_truth(stmt->getCond(), context_);
    if (!taken) return RecursiveASTVisitor::TraverseIfStmt(stmt);
    return TraverseStmt(stmt->getInit()) && TraverseStmt(*taken ? stmt->getThen() : stmt->getElse());
  }
  bool TraverseConditionalOperator(ConditionalOperator* choice) {
    const auto taken = constant_truth(choice->getCond(), context_);
    if (!taken) return RecursiveASTVisitor::TraverseConditionalOperator(choice);
    return TraverseStmt(*taken ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    const NamedDecl* named = reference->getDecl();
    if (const auto* method = dyn_cast<CXXMethodDecl>(named); method && !method->isOverloadedOperator())
      out_.named_methods.insert(method->getCanonicalDecl());
    out_.name_cuda |= named->getIdentifier() && (named->getName() == "kCUDA" || named->getName() == "CUDA");
    const auto* space = dyn_cast<NamespaceDecl>(named->getDeclContext()->getEnclosingNamespaceContext());
    const auto* outer = space ? dyn_cast<NamespaceDecl>(space->getDeclContext()) : nullptr;
    out_.name_cuda |= outer && space->getName() == "cuda" && (outer->getName() == "c10" || outer->getName() == "at");
    return true;
  }
  bool VisitStringLiteral(clang::StringLiteral* literal) {
    if (literal->getCharByteWidth() != 1) return true;
    out_.name_cuda |= literal->getString() == "cuda" || literal->getString().starts_with("cuda:");
    return true;
  }
  bool VisitMemberExpr(MemberExpr* member) {
    const NamedDecl* named = member->getMemberDecl();
    if (!isa<CXXMethodDecl>(named) || !named->getIdentifier()) return true;
    // x.is_cuda(): an extension that tests where a tensor from Python is.
    out_.name_cuda |= named->getName() == "cuda" || (named->getName() == "is_cuda" && is_of_tensor(member->getBase()));
    return true;
  }
  // Device(options.device): the user may name a GPU.
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    if (!made->getNumArgs() || !is_device_type(made->getType())) return true;
    const Expr* text = strip(made->getArg(0));
    out_.name_cuda |= is_text(text->getType()) && !literal_of(text);
    return true;
  }
  // x.is_cuda(), x.device().is_cuda(), x.type().is_cuda() test a tensor. A test of the program's own device object
  // shows no GPU: an object that is always the CPU is tested in the same way.
  static bool is_of_tensor(const Expr* object) {
    for (object = object->IgnoreParenImpCasts(); !is_tensor(object->getType());) {
      const auto* call = dyn_cast<CXXMemberCallExpr>(object);
      if (!call) return false;
      object = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    }
    return true;
  }
  // A program with kernels of its own runs them on its tensors, too.
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr*) {
    out_.name_cuda = true;
    return true;
  }

 private:
  const ASTContext& context_;
  HostFunctions& out_;
};

bool mentions_cuda(llvm::StringRef text) {
  for (const char* token :
       {"kCUDA", "torch::cuda::", ".cuda()", "\"cuda", "DeviceType::CUDA", "c10::cuda", "at::cuda"}) {
    if (text.contains(token)) return true;
  }
  return false;
}

}  // namespace

HostFunctions host_functions(const ASTContext& context, const ProjectFiles& project) {
  HostFunctions found;
  FunctionCollector collector(context, found);
  const SourceManager& sources = context.getSourceManager();
  // Declarations from a preamble are never the project's, and iterating over them would load all of it.
  for (Decl* decl : context.getTranslationUnitDecl()->noload_decls()) {
    if (project.contains(decl->getLocation(), sources)) collector.TraverseDecl(decl);
  }
  // If something could not be parsed, the device's name may be missing from what is left of an expression.
  bool bad = false;
  if (!found.name_cuda && context.getDiagnostics().hasErrorOccurred())
    found.name_cuda = mentions_cuda(sources.getBufferData(sources.getMainFileID(), &bad));
  return found;
}

}  // namespace syncsniff::facts
