#include "analyzer/facts/lifetimes.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kMaxNesting = 6;  // depth of members in members

void add_destructors(QualType type, int depth, std::vector<const CXXDestructorDecl*>& out);

// When a container or an owner of the standard library ends, what it holds ends.
void add_held(const CXXRecordDecl* record, QualType type, int depth, std::vector<const CXXDestructorDecl*>& out) {
  const StringRef name = record_name(type);
  const bool holds = is_container(type) || name == "optional" || name == "pair" || name == "array";
  // A deleter in the type is a call of its own (endings.cpp).
  const bool owns = name == "unique_ptr" && record_name(type_argument(record, 1)) == "default_delete";
  if (!holds && !owns) return;
  for (unsigned i = 0; i < (name == "pair" || name == "map" || name == "unordered_map" ? 2u : 1u); ++i) {
    if (const QualType held = type_argument(record, i); !held.isNull()) add_destructors(held, depth + 1, out);
  }
}

void add_destructors(QualType type, int depth, std::vector<const CXXDestructorDecl*>& out) {
  if (type.isNull() || depth > kMaxNesting || type->isDependentType()) return;
  type = QualType(type.getCanonicalType()->getBaseElementTypeUnsafe(), 0);
  const auto* record = type->isRecordType() ? type->getAsCXXRecordDecl() : nullptr;
  if (!record || !record->hasDefinition() || record->isUnion()) return;
  if (record->isInStdNamespace()) return add_held(record, type, depth, out);
  const CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor && destructor->isUserProvided()) out.push_back(destructor);
  for (const FieldDecl* field : record->fields()) add_destructors(field->getType(), depth + 1, out);
  for (const CXXBaseSpecifier& base : record->bases()) add_destructors(base.getType(), depth + 1, out);
}

const CXXConstructorDecl* constructor_taking(QualType type, unsigned count) {
  const auto* record = type.isNull() ? nullptr : type.getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace()) return nullptr;
  const CXXConstructorDecl* found = nullptr;
  for (const CXXConstructorDecl* constructor : record->ctors()) {
    if (constructor->isCopyOrMoveConstructor() || constructor->isDeleted()) continue;
    if (count < constructor->getMinRequiredArguments() || count > constructor->getNumParams()) continue;
    if (found || !constructor->isUserProvided()) return nullptr;
    found = constructor;
  }
  return found;
}

bool is_of_library(const FunctionDecl* callee) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  return method ? method->getParent()->isInStdNamespace() : callee->isInStdNamespace();
}

bool is_of_type(const Expr* expr, QualType type) {
  return expr->getType().getCanonicalType().getUnqualifiedType() == type.getCanonicalType().getUnqualifiedType();
}

}  // namespace

std::vector<const CXXDestructorDecl*> destructors_of(QualType type) {
  std::vector<const CXXDestructorDecl*> out;
  add_destructors(type, 0, out);
  return out;
}

LibraryMakes made_in_library(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || !is_of_library(callee)) return {};
  const StringRef name = callee->getName();
  const unsigned count = call->getNumArgs();
  if (name == "make_unique" || name == "make_shared") {
    const auto* owner = call->getType().getCanonicalType()->getAsCXXRecordDecl();
    const QualType made = type_argument(owner, 0);
    return made.isNull() || made->isArrayType() ? LibraryMakes{} : LibraryMakes{made, count};
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const auto* record = member ? member->getRecordDecl() : nullptr;
  const QualType element = record ? type_argument(record, 0) : QualType();
  if (element.isNull()) return {};
  const bool emplaces = name == "emplace_back" || name == "emplace_front" || (name == "emplace" && count != 0);
  if (emplaces && !(count == 1 && is_of_type(call->getArg(0), element))) return {element, count};
  return name == "resize" && count == 1 ? LibraryMakes{element, 0} : LibraryMakes{};
}

const CXXConstructorDecl* constructor_in_library(const CallExpr* call) {
  const LibraryMakes made = made_in_library(call);
  return made.type.isNull() ? nullptr : constructor_taking(made.type, made.arguments);
}

const CXXConstructorDecl* constructor_of_elements(const CXXConstructExpr* construct) {
  const CXXRecordDecl* record = construct->getConstructor()->getParent();
  if (!record->isInStdNamespace() || construct->getNumArgs() == 0) return nullptr;
  const StringRef name = record->getIdentifier() ? record->getName() : "";
  if (name != "vector" && name != "deque") return nullptr;
  if (!construct->getArg(0)->getType()->isIntegerType()) return nullptr;
  if (construct->getNumArgs() > 1 && !isa<CXXDefaultArgExpr>(construct->getArg(1))) return nullptr;
  return constructor_taking(type_argument(record, 0), 0);
}

bool moves_away(const VarDecl* variable, const Stmt* stmt) {
  if (!stmt) return false;
  const auto names_it = [&](const Expr* expr) {
    const auto* named = expr ? dyn_cast_or_null<DeclRefExpr>(strip(expr)) : nullptr;
    return named && named->getDecl() == variable;
  };
  if (const auto* returned = dyn_cast<ReturnStmt>(stmt)) {
    const Expr* value = returned->getRetValue();
    const auto* made = value ? dyn_cast<CXXConstructExpr>(strip(value)) : nullptr;
    if (names_it(made && made->getNumArgs() == 1 ? made->getArg(0) : value)) return true;
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt); call && is_smart_pointer(variable->getType())) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const StringRef name = method && method->getIdentifier() ? method->getName() : "";
    if ((name == "release" || name == "swap") && names_it(call->getImplicitObjectArgument())) return true;
  }
  if (const auto* call = dyn_cast<CallExpr>(stmt); call && call->getNumArgs() == 1) {
    const FunctionDecl* callee = call->getDirectCallee();
    const bool moves = callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "move";
    if (moves && names_it(call->getArg(0))) return true;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return moves_away(variable, child); });
}

}  // namespace syncsniff::facts
