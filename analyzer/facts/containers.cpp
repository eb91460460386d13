#include "analyzer/facts/containers.h"

#include <clang/AST/DeclTemplate.h>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/own_allocators.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

const Expr* range_of_iterator(const Expr* expr) {
  for (int depth = 0; depth < 6; ++depth) {
    expr = strip(expr);
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expr); construct && construct->getNumArgs() == 1) {
      expr = construct->getArg(0);
      continue;
    }
    const auto* call = dyn_cast<CallExpr>(expr);
    if (const auto* member = dyn_cast_or_null<CXXMemberCallExpr>(call)) {
      const CXXMethodDecl* method = member->getMethodDecl();
      const bool begins = method && method->getIdentifier() &&
                          llvm::is_contained({"begin", "cbegin", "rbegin", "crbegin"}, method->getName());
      return begins ? strip(member->getImplicitObjectArgument()) : nullptr;
    }
    if (!call || !call->getNumArgs()) return nullptr;
    expr = call->getArg(0);
  }
  return nullptr;
}

StringRef record_name(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() ? record->getName() : StringRef();
}

bool is_device_policy(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  bool found = false;
  record->forallBases([&](const CXXRecordDecl* base) {
    found |= base->getIdentifier() && base->getName() == "execution_policy" &&
             base->getQualifiedNameAsString().find("::cuda_cub::") != std::string::npos;
    return true;
  });
  return found;
}

MemoryKind container_memory(QualType type, const ApiTable& apis) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!spec) {
    // A class of the program may derive from a container.
    const auto* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition()) return MemoryKind::kUnknown;
    for (const auto& base : record->bases()) {
      if (MemoryKind kind = container_memory(base.getType(), apis); kind != MemoryKind::kUnknown) return kind;
    }
    return MemoryKind::kUnknown;
  }
  StringRef name = spec->getName();
  if (name == "device_vector" || name == "device_ptr") return MemoryKind::kDevice;
  // Iterators of Thrust, however deeply they wrap a pointer to device memory.
  if (name.ends_with("iterator") && type.getAsString().find("device_ptr<") != std::string::npos)
    return MemoryKind::kDevice;
  if (name == "array" || name == "initializer_list") return MemoryKind::kPageable;
  if (name != "vector" && name != "basic_string" && name != "host_vector" && name != "deque" && name != "valarray") {
    return MemoryKind::kUnknown;
  }
  if (name == "valarray") return MemoryKind::kPageable;
  const unsigned at = name == "basic_string" ? 2 : 1;
  const auto& args = spec->getTemplateArgs();
  if (args.size() <= at || args[at].getKind() != TemplateArgument::Type) return MemoryKind::kUnknown;
  const auto* allocator = args[at].getAsType().getCanonicalType()->getAsCXXRecordDecl();
  return allocator ? memory_of_allocator(allocator, apis) : MemoryKind::kUnknown;
}

QualType type_argument(const CXXRecordDecl* record, unsigned index) {
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!spec || spec->getTemplateArgs().size() <= index) return {};
  const TemplateArgument& argument = spec->getTemplateArgs()[index];
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType() : QualType();
}

StringRef element_name(QualType container) {
  const QualType element = type_argument(container.getNonReferenceType()->getAsCXXRecordDecl(), 0);
  return element.isNull() ? StringRef() : record_name(element);
}

bool is_smart_pointer(QualType type) {
  StringRef name = record_name(type);
  return name == "unique_ptr" || name == "shared_ptr";
}

bool is_span(QualType type) { return record_name(type) == "span"; }

// The elements of a container whose allocator says which memory they are in; kUnknown for others. `node` names the
// container, so that a call that pins its pages in place is found.
Value Values::container_value(const Expr* container) const {
  const Expr* who = strip(container);
  Value value;
  const MemoryKind kind = container_memory(who->getType(), apis_);
  if (kind == MemoryKind::kUnknown) return value;
  value.kind = Value::Kind::kAllocation;
  value.memory = kind;
  value.node = assigned_node(who);
  SourceRange range = who->getSourceRange();
  if (const auto* ref = dyn_cast<DeclRefExpr>(who)) range = ref->getDecl()->getSourceRange();
  if (const auto* member = dyn_cast<MemberExpr>(who)) range = member->getMemberDecl()->getSourceRange();
  value.place = place_of(range, context_);
  value.text = quoted_text(range, context_, 60);
  return value;
}

Value Values::receiver(const Expr* object) const {
  if (Value elements = container_value(object); elements.kind != Value::Kind::kUnknown) return elements;
  const QualType type = strip(object)->getType();
  return type->isPointerType() || is_tensor(type) ? value_of(object) : object_of(object);
}

// The variable of a vector of tensors, also if it, or a part of it, is passed on as a list of tensors.
std::string Values::container_of_tensors(const Expr* arg) const {
  for (int depth = 0; depth < 4; ++depth) {
    arg = strip(arg);
    const auto* construct = dyn_cast<CXXConstructExpr>(arg);
    if (!construct || !construct->getNumArgs()) break;
    const Expr* part = construct->getNumArgs() >= 2 ? range_of_iterator(construct->getArg(0)) : nullptr;
    if (!part && construct->getNumArgs() >= 2 && !isa<CXXDefaultArgExpr>(construct->getArg(1))) break;
    arg = part ? part : construct->getArg(0);
  }
  return holds_tensors(arg->getType()) ? assigned_node(arg) : "";
}

const Expr* pointer_to_container(const Expr* expr) {
  const Expr* pointer = nullptr;
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_Deref)
    pointer = unary->getSubExpr();
  const auto* op = dyn_cast<CXXOperatorCallExpr>(expr);
  if (op && (op->getOperator() == OO_Star || op->getOperator() == OO_Arrow) && op->getNumArgs() == 1)
    pointer = is_smart_pointer(op->getArg(0)->getType()) ? op->getArg(0) : nullptr;
  return pointer && is_container(expr->getType()) ? pointer : nullptr;
}

std::string Values::container_named_by(const Expr* expr) const {
  for (int depth = 0; depth < 4; ++depth) {
    expr = strip(expr);
    const auto* unary = dyn_cast_or_null<UnaryOperator>(expr);
    const auto* construct = dyn_cast_or_null<CXXConstructExpr>(expr);
    const auto* call = dyn_cast_or_null<CallExpr>(expr);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    if (unary && unary->getOpcode() == UO_AddrOf)
      expr = unary->getSubExpr();
    else if (construct && construct->getNumArgs() == 1)
      expr = construct->getArg(0);
    else if (const auto* member = dyn_cast_or_null<CXXMemberCallExpr>(call); member && name == "get")
      expr = is_smart_pointer(member->getObjectType()) ? member->getImplicitObjectArgument() : nullptr;
    else if ((name == "move" || name == "forward") && callee->isInStdNamespace() && call->getNumArgs() == 1)
      expr = call->getArg(0);
    else
      break;
  }
  return expr ? assigned_node(expr) : "";
}

QualType container_behind(QualType type) {
  if (type.isNull()) return {};
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType())
    type = type->getPointeeType();
  else if (is_smart_pointer(type))
    type = type_argument(type->getAsCXXRecordDecl(), 0);
  return !type.isNull() && !type->isPointerType() && is_container(type) ? type : QualType();
}

bool is_list_of_tensors(QualType type) {
  const QualType list = container_behind(type);
  return !list.isNull() && holds_tensors(list) && record_name(list) != "array";
}

bool holds_tensors(QualType type) {
  if (const QualType list = container_behind(type); !list.isNull()) type = list;
  const QualType element = type_argument(type.getNonReferenceType()->getAsCXXRecordDecl(), 0);
  return !element.isNull() && (is_tensor(element) || is_pack_of_tensors(element));
}

}  // namespace syncsniff::facts
