#include "analyzer/facts/own_allocators.h"

#include "analyzer/facts/callables.h"
#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const CXXMethodDecl* method_of(const CXXRecordDecl* record, llvm::StringRef name) {
  if (!record || !record->hasDefinition()) return nullptr;
  if (const CXXMethodDecl* own = own_method_named(record, name)) return own;
  for (const CXXBaseSpecifier& base : record->bases())
    if (const CXXMethodDecl* found = method_of(base.getType()->getAsCXXRecordDecl(), name)) return found;
  return nullptr;
}

// The facts of the function that the expression names; in a template the overloads of one name are not told apart yet.
const ApiFact* fact_of_named(const Expr* expr, const ApiTable& apis) {
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) return fact_of(reference->getDecl(), apis);
  const auto* overloads = dyn_cast<OverloadExpr>(expr);
  return overloads && overloads->getNumDecls() != 0 ? fact_of(*overloads->decls_begin(), apis) : nullptr;
}

MemoryKind memory_taken_by(const FunctionDecl* function, const ApiTable& apis, int depth) {
  constexpr int kDeepest = 3;
  const FunctionDecl* defined = nullptr;
  if (!function || depth > kDeepest) return MemoryKind::kUnknown;
  if (!function->hasBody(defined)) {
    const FunctionDecl* pattern = function->getTemplateInstantiationPattern();
    if (!pattern || !pattern->hasBody(defined)) return MemoryKind::kUnknown;
  }
  MemoryKind found = MemoryKind::kUnknown;
  const auto add = [&](MemoryKind kind) {
    if (kind != MemoryKind::kUnknown && found != MemoryKind::kPinned) found = kind;
  };
  for_each_expr(defined->getBody(), [&](const Expr* expr) {
    if (isa<CXXNewExpr>(expr)) return add(MemoryKind::kPageable);
    if (const ApiFact* fact = fact_of_named(expr, apis))
      return add(fact->registers_arg != kNoArg ? MemoryKind::kPinned : fact->allocates);
    const auto* call = dyn_cast<CallExpr>(expr);
    if (const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr; callee && callee != function)
      add(memory_taken_by(callee, apis, depth + 1));
  });
  return found;
}

bool starts_empty(const VarDecl* variable) {
  const CXXConstructExpr* made = construction_of(variable);
  return made && !makes_elements(made);
}

}  // namespace

MemoryKind memory_of_allocator(const CXXRecordDecl* allocator, const ApiTable& apis) {
  // std::pmr::polymorphic_allocator takes memory from an object that is chosen at run time.
  if (allocator->isInStdNamespace())
    return allocator->getName() == "allocator" ? MemoryKind::kPageable : MemoryKind::kUnknown;
  // Thrust's own, whose memory resources no body of a function shows.
  const std::string name = allocator->getQualifiedNameAsString();
  if (name.starts_with("thrust::") && name.find("pinned") != std::string::npos) return MemoryKind::kPinned;
  return memory_taken_by(method_of(allocator, "allocate"), apis, 0);
}

const CXXConstructExpr* construction_of(const VarDecl* variable) {
  const Expr* init = variable->getInit();
  return init ? dyn_cast<CXXConstructExpr>(init->IgnoreImplicit()) : nullptr;
}

AllocatorMethods allocator_methods(QualType container) {
  const CXXRecordDecl* record = container.getCanonicalType()->getAsCXXRecordDecl();
  const StringRef name = record_name(container);
  if (!is_container(container) && name != "host_vector" && name != "device_vector") return {};
  const QualType allocator = type_argument(record, 1);
  const CXXRecordDecl* methods = allocator.isNull() ? nullptr : allocator->getAsCXXRecordDecl();
  if (!methods || methods->isInStdNamespace()) return {};
  return {method_of(methods, "allocate"), method_of(methods, "deallocate")};
}

bool makes_elements(const CXXConstructExpr* construct) {
  const CXXConstructorDecl* constructor = construct->getConstructor();
  if (constructor->isMoveConstructor() || construct->isElidable() || construct->getNumArgs() == 0) return false;
  const Expr* first = construct->getArg(0);
  if (isa<CXXDefaultArgExpr>(first)) return false;
  const QualType allocator = type_argument(construct->getType()->getAsCXXRecordDecl(), 1);
  return allocator.isNull() || first->getType().getCanonicalType().getUnqualifiedType() != allocator.getCanonicalType();
}

const VarDecl* given_room(const CallExpr* call) {
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl* method = member ? member->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || !llvm::is_contained({"reserve", "resize", "assign"}, method->getName()))
    return nullptr;
  const auto* named = dyn_cast<DeclRefExpr>(strip(member->getImplicitObjectArgument()));
  const auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() && !isa<ParmVarDecl>(variable) && starts_empty(variable) ? variable
                                                                                                          : nullptr;
}

}  // namespace syncsniff::facts
