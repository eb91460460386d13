#include "analyzer/facts/coroutines.h"

#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

std::string key_of(const CXXRecordDecl* promise) { return promise ? "resumption of " + usr_of(promise) : ""; }

const CXXRecordDecl* promise_type_of(const CXXRecordDecl* coroutine_type) {
  if (!coroutine_type->hasDefinition()) return nullptr;
  for (const Decl* member : coroutine_type->decls()) {
    const auto* named = dyn_cast<TypeDecl>(member);
    if (!named || !named->getIdentifier() || named->getName() != "promise_type") continue;
    return coroutine_type->getASTContext().getTypeDeclType(named)->getAsCXXRecordDecl();
  }
  return nullptr;
}

}  // namespace

std::string resumption_of(const CoroutineBodyStmt* coroutine) {
  const VarDecl* promise = coroutine->getPromiseDecl();
  return promise ? key_of(promise->getType()->getAsCXXRecordDecl()) : "";
}

std::string resumed_by(const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  const auto* handle = method ? dyn_cast<ClassTemplateSpecializationDecl>(method->getParent()) : nullptr;
  if (!handle || !handle->isInStdNamespace() || handle->getName() != "coroutine_handle") return {};
  const bool resumes =
      method->getOverloadedOperator() == OO_Call || (method->getIdentifier() && method->getName() == "resume");
  const TemplateArgument& promise = handle->getTemplateArgs()[0];
  return resumes && promise.getKind() == TemplateArgument::Type ? key_of(promise.getAsType()->getAsCXXRecordDecl())
                                                                : std::string();
}

std::string resumed_by(const CXXForRangeStmt* loop) {
  const Expr* range = loop->getRangeInit();
  const CXXRecordDecl* type = range ? range->getType()->getAsCXXRecordDecl() : nullptr;
  return type && type->isInStdNamespace() ? key_of(promise_type_of(type)) : "";
}

bool is_coroutine(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && promise_type_of(record);
}

}  // namespace syncsniff::facts
