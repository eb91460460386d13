#include "analyzer/facts/recovered_calls.h"

#include <clang/AST/DeclTemplate.h>

#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool takes(const FunctionDecl* function, unsigned arguments) {
  if (arguments < function->getMinRequiredArguments()) return false;
  return arguments <= function->getNumParams() || function->isVariadic();
}

// net.loss, where the declaration of loss has an unknown type: Clang keeps only `net`; the member's name is read from
// the text.
std::vector<const NamedDecl*> members_named(const RecoveryExpr* member, const ASTContext& context) {
  std::vector<const NamedDecl*> found;
  const auto parts = member->subExpressions();
  if (parts.size() != 1 || parts.front()->isTypeDependent()) return found;
  QualType type = parts.front()->getType().getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return found;
  const std::string name = source_text(SourceRange(member->getEndLoc()), context);
  for (const CXXMethodDecl* method : record->getDefinition()->methods()) {
    if (method->getIdentifier() && method->getName() == name) found.push_back(method);
  }
  return found;
}

}  // namespace

const FunctionDecl* callee_by_name(const Expr* callee, unsigned arguments, const ASTContext& context) {
  callee = callee->IgnoreParenImpCasts();
  const FunctionDecl* only = nullptr;
  const auto consider = [&](const NamedDecl* decl) {
    decl = decl->getUnderlyingDecl();
    const auto* function = dyn_cast<FunctionDecl>(decl);  // the pattern of a template has no body that is walked
    if (!function || !takes(function, arguments)) return true;
    if (only && only->getCanonicalDecl() != function->getCanonicalDecl()) return false;
    only = function;
    return true;
  };
  std::vector<const NamedDecl*> candidates;
  if (const auto* overloads = dyn_cast<OverloadExpr>(callee))
    candidates.assign(overloads->decls_begin(), overloads->decls_end());
  if (const auto* member = dyn_cast<RecoveryExpr>(callee)) candidates = members_named(member, context);
  for (const NamedDecl* decl : candidates) {
    if (!consider(decl)) return nullptr;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(callee)) consider(reference->getDecl());
  if (const auto* member = dyn_cast<MemberExpr>(callee)) consider(member->getMemberDecl());
  return only;
}

// All overloads of one operation mean the same here, so it does not matter which one was meant.
UnacceptedOperation unaccepted_operation(const RecoveryExpr* call) {
  const auto parts = call->subExpressions();
  const Expr* callee = parts.empty() ? nullptr : parts.front()->IgnoreParenImpCasts();
  const NamedDecl* method = nullptr;
  UnacceptedOperation found;
  if (const auto* member = dyn_cast_or_null<MemberExpr>(callee)) {
    method = member->getMemberDecl();
    found.tensor = member->getBase();
  } else if (const auto* overloads = dyn_cast_or_null<UnresolvedMemberExpr>(callee)) {
    if (overloads->isImplicitAccess() || overloads->getNumDecls() == 0) return {};
    method = (*overloads->decls_begin())->getUnderlyingDecl();
    found.tensor = overloads->getBase();
  }
  const auto* function = dyn_cast_or_null<CXXMethodDecl>(method);
  if (!function || !found.tensor || found.tensor->isTypeDependent() || !is_tensor(found.tensor->getType())) return {};
  found.name = api_name(function);
  return found;
}

std::vector<const FunctionDecl*> instances_of(const OverloadExpr* overloads) {
  std::vector<const FunctionDecl*> found;
  const auto add = [&](const FunctionDecl* function) {
    if (const FunctionDecl* defined = function->getDefinition()) found.push_back(defined);
  };
  for (const NamedDecl* decl : overloads->decls()) {
    decl = decl->getUnderlyingDecl();
    if (const auto* function = dyn_cast<FunctionDecl>(decl)) add(function);
    if (const auto* pattern = dyn_cast<FunctionTemplateDecl>(decl))
      for (const FunctionDecl* instance : pattern->specializations()) add(instance);
  }
  return found;
}

const FunctionDecl* callee_of(const CallExpr* call, const ASTContext& context) {
  if (const FunctionDecl* direct = call->getDirectCallee()) return direct;
  return call->isTypeDependent() ? callee_by_name(call->getCallee(), call->getNumArgs(), context) : nullptr;
}

}  // namespace syncsniff::facts
