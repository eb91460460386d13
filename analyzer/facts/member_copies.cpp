#include "analyzer/facts/member_copies.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_device_vector(const CXXRecordDecl* record) {
  return record->getIdentifier() && record->getName() == "device_vector";
}

// Whether the class has a device_vector, or a class that has one, as a member or base.
bool holds_device_vector(const CXXRecordDecl* record, int depth = 0) {
  constexpr int kDeepest = 4;
  if (!record || !record->hasDefinition() || record->isInStdNamespace() || depth > kDeepest) return false;
  const auto is_or_holds = [&](QualType type) {
    const auto* part = type.getCanonicalType()->getAsCXXRecordDecl();
    return part && (is_device_vector(part) || holds_device_vector(part, depth + 1));
  };
  return llvm::any_of(record->fields(), [&](const FieldDecl* field) { return is_or_holds(field->getType()); }) ||
         llvm::any_of(record->bases(), [&](const auto& base) { return is_or_holds(base.getType()); });
}

}  // namespace

bool copies_device_vector(const FunctionDecl* function) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || method->isUserProvided() || method->isDeleted()) return false;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(method);
  const bool copies = constructor ? constructor->isCopyConstructor() : method->isCopyAssignmentOperator();
  return copies && !is_device_vector(method->getParent()) && holds_device_vector(method->getParent());
}

}  // namespace syncsniff::facts
