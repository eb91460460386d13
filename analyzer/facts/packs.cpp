// Tensors in a std::tuple, std::pair or std::array: which element of which pack an expression names.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kMostNested = 3;  // a vector of tuples of tensors

bool is_pack(QualType type) {
  if (type.isNull() || type->isPointerType()) return false;  // null: in a declaration with an error
  const StringRef name = record_name(type);
  return name == "tuple" || name == "pair" || name == "array";
}

bool holds_tensor(QualType type, int depth = 0);

bool argument_holds_tensor(const TemplateArgument& argument, int depth) {
  if (argument.getKind() == TemplateArgument::Type) return holds_tensor(argument.getAsType(), depth);
  return argument.getKind() == TemplateArgument::Pack &&
         std::any_of(argument.pack_begin(), argument.pack_end(),
                     [&](const TemplateArgument& one) { return argument_holds_tensor(one, depth); });
}

bool holds_tensor(QualType type, int depth) {
  if (type.isNull() || depth > kMostNested) return false;
  if (is_tensor(type)) return true;
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl());
  if (!spec || !spec->isInStdNamespace()) return false;
  const auto& arguments = spec->getTemplateArgs().asArray();
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const TemplateArgument& one) { return argument_holds_tensor(one, depth + 1); });
}

// 1 for std::get<1>(pack). -1 for std::get by type, which would need the pack's list of types.
int index_of_get(const FunctionDecl* callee) {
  const TemplateArgumentList* arguments = callee->getTemplateSpecializationArgs();
  if (!arguments || arguments->size() == 0) return -1;
  const TemplateArgument& first = arguments->get(0);
  return first.getKind() == TemplateArgument::Integral ? static_cast<int>(first.getAsIntegral().getExtValue()) : -1;
}

bool is_of_std(const CallExpr* call, std::initializer_list<StringRef> names) {
  const FunctionDecl* callee = call->getDirectCallee();
  return callee && callee->isInStdNamespace() && callee->getIdentifier() &&
         std::find(names.begin(), names.end(), callee->getName()) != names.end();
}

// std::vector<Tensor>(n): the tensors are undefined until they are assigned.
bool makes_undefined_tensors(const Expr* expr) {
  const auto* construct = dyn_cast<CXXConstructExpr>(expr);
  if (!construct || !holds_tensor(construct->getType())) return false;
  return construct->getNumArgs() == 0 || construct->getArg(0)->getType()->isIntegerType();
}

// std::array<Tensor, 2>{a, b}: the list inside the array's own field.
const InitListExpr* elements_of_array(const Expr* expr) {
  const auto* list = dyn_cast<InitListExpr>(expr);
  if (!list || record_name(list->getType()) != "array") return nullptr;
  if (!list->isSemanticForm() && list->getSemanticForm()) list = list->getSemanticForm();
  const auto* inner = list->getNumInits() == 1 ? dyn_cast<InitListExpr>(list->getInit(0)) : nullptr;
  return inner ? inner : list;
}

int index_in(const DecompositionDecl* whole, const BindingDecl* binding) {
  const auto bindings = whole->bindings();
  return static_cast<int>(std::find(bindings.begin(), bindings.end(), binding) - bindings.begin());
}

}  // namespace

bool is_pack_of_tensors(QualType type) { return is_pack(type) && holds_tensor(type); }

const CallExpr* tie_of_variables(const Expr* expr) {
  const auto* call = dyn_cast_or_null<CallExpr>(strip(expr));
  return call && is_of_std(call, {"tie"}) ? call : nullptr;
}

Value Values::element_of(Value pack, int index) const {
  Value value;
  value.kind = Value::Kind::kElement;
  value.event = index;
  value.operands.push_back(std::move(pack));
  return value;
}

namespace {

// How many elements a pair, tuple or array has; 0 for any other type, and for more elements than anyone writes out.
int count_of(QualType type) {
  constexpr int kMost = 16;
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl());
  if (!spec || !is_pack(type.getNonReferenceType())) return 0;
  const TemplateArgumentList& arguments = spec->getTemplateArgs();
  long count = 2;
  if (spec->getName() == "tuple") count = arguments.get(0).pack_size();
  if (spec->getName() == "array") count = arguments.get(1).getAsIntegral().getExtValue();
  return count > 0 && count <= kMost ? static_cast<int>(count) : 0;
}

// The type of the pack that `lhs` names an element of.
QualType pack_of(const Expr* lhs) {
  if (const auto* call = dyn_cast<CallExpr>(lhs)) return call->getArg(0)->getType();
  if (const auto* member = dyn_cast<MemberExpr>(lhs)) return member->getBase()->getType();
  return cast<DecompositionDecl>(cast<BindingDecl>(cast<DeclRefExpr>(lhs)->getDecl())->getDecomposedDecl())->getType();
}

}  // namespace

std::pair<std::string, Value> Values::pack_with(const Expr* lhs, Value element) const {
  lhs = strip(lhs);
  Value named = lhs ? pack_value(lhs) : Value{};
  if (named.kind != Value::Kind::kElement || named.operands.front().kind != Value::Kind::kNode) return {};
  Value whole;
  whole.kind = Value::Kind::kPack;
  const int count = count_of(pack_of(lhs));
  if (named.event >= count) return {};
  for (int i = 0; i < count; ++i)
    whole.operands.push_back(i == named.event ? std::move(element) : element_of(named.operands.front(), i));
  return {named.operands.front().node, std::move(whole)};
}

// For a list of tensors: the tensors in it. The memory of the list itself says nothing about theirs.
Value Values::packed(const Expr* element) const {
  const Expr* named = strip(element);
  const bool list = named && is_container(named->getType()) && holds_tensor(named->getType());
  return list && !is_pack(named->getType()) ? content_of(named) : value_of(element);
}

// kUnknown for an expression that names no element and makes no pack of tensors.
Value Values::pack_value(const Expr* expr) const {
  if (is_container(expr->getType()) && makes_undefined_tensors(expr)) {
    Value undefined;
    undefined.kind = Value::Kind::kNull;
    return undefined;
  }
  if (is_pack_of_tensors(expr->getType())) {
    Value made;
    made.kind = Value::Kind::kPack;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
      if (construct->getNumArgs() == 1 && is_pack(construct->getArg(0)->getType()))
        return value_of(construct->getArg(0));
      for (const Expr* arg : construct->arguments()) made.operands.push_back(packed(arg));
      if (made.operands.empty()) made.kind = Value::Kind::kNull;
      return made;
    }
    if (const InitListExpr* elements = elements_of_array(expr)) {
      for (const Expr* element : elements->inits()) made.operands.push_back(packed(element));
      return made;
    }
    if (const auto* call = dyn_cast<CallExpr>(expr);
        call && is_of_std(call, {"make_tuple", "make_pair", "forward_as_tuple", "tie"})) {
      for (const Expr* arg : call->arguments()) made.operands.push_back(packed(arg));
      return made;
    }
  }
  if (!holds_tensor(expr->getType())) return {};
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    if (!is_of_std(call, {"get"}) || call->getNumArgs() != 1 || !is_pack(call->getArg(0)->getType())) return {};
    const int index = index_of_get(call->getDirectCallee());
    return index < 0 ? Value{} : element_of(value_of(call->getArg(0)), index);
  }
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field || record_name(member->getBase()->getType()) != "pair") return {};
    return element_of(value_of(member->getBase()), static_cast<int>(field->getFieldIndex()));
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* binding = dyn_cast<BindingDecl>(reference->getDecl());
    const auto* whole = binding ? dyn_cast<DecompositionDecl>(binding->getDecomposedDecl()) : nullptr;
    if (!whole) return {};
    if (!binding->getHoldingVar() && !is_pack(whole->getType()))
      return binding->getBinding() ? value_of(binding->getBinding()) : Value{};
    Value pack;
    pack.kind = Value::Kind::kNode;
    pack.node = node_of(whole);
    return element_of(std::move(pack), index_in(whole, binding));
  }
  return {};
}

}  // namespace syncsniff::facts
