#include "analyzer/facts/member_copies.h"

#include <algorithm>

#include "analyzer/facts/containers.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool holds(QualType type, int depth) {
  constexpr int kDeepest = 4;
  if (depth > kDeepest || type->isReferenceType() || type->isPointerType()) return false;
  if (record_name(type) == "device_vector") return true;
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace()) return false;
  return llvm::any_of(record->fields(), [&](const FieldDecl* field) { return holds(field->getType(), depth + 1); }) ||
         llvm::any_of(record->bases(), [&](const auto& base) { return holds(base.getType(), depth + 1); });
}

}  // namespace

bool holds_device_vector(const CXXRecordDecl* record) {
  if (!record->hasDefinition() || !record->getIdentifier() || record->getName() == "device_vector") return false;
  return llvm::any_of(record->fields(), [](const FieldDecl* field) { return holds(field->getType(), 0); }) ||
         llvm::any_of(record->bases(), [](const auto& base) { return holds(base.getType(), 0); });
}

bool copies_device_vector(const FunctionDecl* function) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || method->isUserProvided() || method->isDeleted()) return false;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(method);
  const bool copies = constructor ? constructor->isCopyConstructor() : method->isCopyAssignmentOperator();
  return copies && holds_device_vector(method->getParent());
}

}  // namespace syncsniff::facts
