#include "analyzer/facts/values.h"

#include <clang/AST/DeclTemplate.h>

#include "analyzer/facts/api_references.h"
#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

Value make(Value::Kind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value node_value(std::string node) {
  Value value = make(Value::Kind::kNode);
  value.node = std::move(node);
  return value;
}

}  // namespace

const Expr* strip(const Expr* expr) {
  while (expr) {
    const Expr* inner = expr->IgnoreParenCasts();
    if (const auto* t = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = t->getSubExpr();
    if (const auto* t = dyn_cast<CXXBindTemporaryExpr>(inner)) inner = t->getSubExpr();
    if (const auto* t = dyn_cast<ExprWithCleanups>(inner)) inner = t->getSubExpr();
    if (const auto* t = dyn_cast<SubstNonTypeTemplateParmExpr>(inner)) inner = t->getReplacement();
    if (const auto* t = dyn_cast<CXXDefaultArgExpr>(inner)) inner = t->getExpr();
    if (const auto* t = dyn_cast<CXXDefaultInitExpr>(inner)) inner = t->getExpr();
    if (const auto* t = dyn_cast<ConstantExpr>(inner)) inner = t->getSubExpr();
    if (const auto* t = dyn_cast<CXXStdInitializerListExpr>(inner)) inner = t->getSubExpr();
    if (inner == expr) return expr;
    expr = inner;
  }
  return expr;
}

const Expr* without_star(const Expr* expr) {
  expr = strip(expr);
  const auto* value = dyn_cast_or_null<UnaryOperator>(expr);
  return value && value->getOpcode() == UO_Deref ? strip(value->getSubExpr()) : expr;
}

const clang::StringLiteral* literal_of(const Expr* text) {
  text = strip(text);
  const auto* made = dyn_cast<CXXConstructExpr>(text);
  if (made && made->getNumArgs()) return literal_of(made->getArg(0));
  const auto* reference = dyn_cast<DeclRefExpr>(text);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->getType().isConstQualified() && variable->getInit()) return literal_of(variable->getInit());
  return dyn_cast<clang::StringLiteral>(text);
}

void for_each_field(const InitListExpr* list, const std::function<void(const FieldDecl*, const Expr*)>& visit) {
  const auto* record = list->getType().getCanonicalType()->getAsRecordDecl();
  const InitListExpr* semantic = list->isSemanticForm() ? list : list->getSemanticForm();
  if (!record || !semantic || record->isUnion()) return;
  unsigned i = 0;
  if (const auto* cxx = dyn_cast<CXXRecordDecl>(record); cxx && cxx->hasDefinition()) i = cxx->getNumBases();
  for (const FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    if (i >= semantic->getNumInits()) return;
    const Expr* init = semantic->getInit(i++);
    if (init && !isa<ImplicitValueInitExpr>(init) && may_hold_pointer(field->getType())) visit(field, init);
  }
}

// v for `*it` in for (auto it = v.begin(); ...). Null for anything else.
static const Expr* gone_through_by(const Expr* iterator) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(iterator));
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const bool is_one =
      var && var->hasLocalStorage() && var->getInit() && record_name(var->getType()).contains("iterator");
  return is_one ? range_of_iterator(var->getInit()) : nullptr;
}

Value Values::content_of(const Expr* pointer, const Expr* at) const {
  if (const Expr* container = at ? nullptr : gone_through_by(pointer)) return content_of(container, nullptr);
  Value value = make(Value::Kind::kContent);
  if (at && is_container(pointer->getType())) value.text = key_in(at);
  value.operands.push_back(value_of(pointer));
  value.node = assigned_node(pointer);
  return value;
}

Value Values::value_of_reference(const DeclRefExpr* reference) const {
  const ValueDecl* decl = reference->getDecl();
  if (const auto* function = dyn_cast<FunctionDecl>(decl)) {
    Value value = make(Value::Kind::kFunction);
    value.node = handed_api(reference, apis_) ? handed_api_usr(reference) : usr_of(function);
    value.text = function->getNameAsString();
    return value;
  }
  if (const auto* constant = dyn_cast<EnumConstantDecl>(decl)) {
    Value value = make(Value::Kind::kConstant);
    value.text = constant->getNameAsString();
    return value;
  }
  if (const auto* binding = dyn_cast<BindingDecl>(decl)) {
    // Of a pair or a tuple: one of the elements of the whole.
    if (binding->getHoldingVar()) return node_value(node_of(cast<ValueDecl>(binding->getDecomposedDecl())));
    return binding->getBinding() ? value_of(binding->getBinding()) : Value{};
  }
  if (decl->getType()->isArrayType()) return object_of(reference);
  return node_value(node_of(decl));
}

Value Values::value_of_member(const MemberExpr* member) const {
  if (const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl())) {
    if (is_stand_in(field->getParent())) return {};
    // A map's callable: an element of the map that the pair comes from.
    const bool callable = record_name(field->getType()) == "function" || field->getType()->isFunctionPointerType();
    if (callable && record_name(member->getBase()->getType()) == "pair") return value_of(member->getBase());
    if (field->getType()->isArrayType()) return object_of(member);
    return node_value(node_of(field));
  }
  const auto* var = dyn_cast<VarDecl>(member->getMemberDecl());
  return var ? node_value(node_of(var)) : Value{};
}

Value Values::value_of(const Expr* expr) const {
  expr = strip(expr);
  if (!expr || expr->isTypeDependent()) return {};
  if (expr->getType().isNull()) return {};  // a braced list of a declaration with an error
  if (is_device_type(expr->getType())) return device_value(expr);
  if (Value value = pack_value(expr); value.kind != Value::Kind::kUnknown) return value;
  if (is_tensor(expr->getType())) return tensor_value(expr);
  if (expr->getType()->isRecordType() && !isa<CXXConstructExpr>(expr) && !is_pack_of_tensors(expr->getType())) {
    if (Value value = container_value(expr); value.kind != Value::Kind::kUnknown) return value;
  }
  if (const FunctionDecl* function = functor_call(expr->getType(), context_)) {
    Value value = make(Value::Kind::kFunction);
    value.node = usr_of(function);
    value.text = "a function object";
    return value;
  }
  if (isa<CXXNullPtrLiteralExpr>(expr) || isa<GNUNullExpr>(expr)) return make(Value::Kind::kNull);
  if (const auto* literal = dyn_cast<IntegerLiteral>(expr)) {
    Value value = make(literal->getValue() == 0 ? Value::Kind::kNull : Value::Kind::kConstant);
    value.text = std::to_string(literal->getValue().getLimitedValue());
    return value;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) return value_of_reference(reference);
  if (const auto* member = dyn_cast<MemberExpr>(expr)) return value_of_member(member);
  if (const auto* unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_AddrOf) return object_of(unary->getSubExpr());
    const bool names_function = unary->getType()->isFunctionType();  // (*activate)(x): the pointer's function
    if (unary->getOpcode() == UO_Deref && !names_function) return content_of(unary->getSubExpr());
    return value_of(unary->getSubExpr());
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expr)) {
    // (object.*method)(): the method.
    if (binary->isAssignmentOp() || binary->getOpcode() == BO_Comma || binary->isPtrMemOp())
      return value_of(binary->getRHS());
    if (binary->isAdditiveOp()) {
      return value_of(binary->getLHS()->getType()->isIntegerType() ? binary->getRHS() : binary->getLHS());
    }
    return {};
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expr)) return content_of(subscript->getBase());
  if (const auto* conditional = dyn_cast<AbstractConditionalOperator>(expr)) {
    Value value = make(Value::Kind::kAny);
    value.operands = {value_of(conditional->getTrueExpr()), value_of(conditional->getFalseExpr())};
    return value;
  }
  if (isa<StringLiteral>(expr)) {
    Value value = make(Value::Kind::kAllocation);
    value.memory = MemoryKind::kPageable;
    value.place = place_of(expr->getSourceRange(), context_);
    value.text = "a string literal";
    return value;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(expr)) {
    // new (memory) float[n] makes no memory of its own.
    if (allocation->getNumPlacementArgs() == 1 && allocation->getPlacementArg(0)->getType()->isPointerType())
      return value_of(allocation->getPlacementArg(0));
    // A class's own operator new decides which memory the object is in.
    const FunctionDecl* allocates = allocation->getOperatorNew();
    if (isa_and_nonnull<CXXMethodDecl>(allocates)) return node_value("r:" + usr_of(allocates));
    Value value = make(Value::Kind::kAllocation);
    value.memory = MemoryKind::kPageable;
    value.place = place_of(allocation->getSourceRange(), context_);
    value.text = quoted_text(allocation->getSourceRange(), context_, 60);
    return value;
  }
  if (isa<CXXThisExpr>(expr)) return node_value(this_node_);
  if (isa<LambdaExpr>(expr)) return callables_in(expr);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) return value_of_construct(construct);
  if (const auto* list = dyn_cast<InitListExpr>(expr)) {
    return list->getNumInits() == 1 ? value_of(list->getInit(0)) : Value{};
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) return value_of_call(call);
  return {};
}

Value Values::value_of_construct(const CXXConstructExpr* construct) const {
  if (construct->getNumArgs() == 0) return {};
  const Expr* first = construct->getArg(0);
  const auto* constructor = construct->getConstructor();
  StringRef name = record_name(construct->getType());
  // Copies, moves, smart pointers and callable wrappers have the value that they are made from.
  if (name == "Sequential") {
    Value modules = make(Value::Kind::kAny);
    for (const Expr* arg : construct->arguments()) modules.operands.push_back(callables_in(arg));
    return modules;
  }
  if (name == "AnyModule" && !constructor->isCopyOrMoveConstructor()) return callables_in(first);
  if (constructor->isCopyOrMoveConstructor() || is_smart_pointer(construct->getType()) || name == "function" ||
      name == "packaged_task" || name == "move_only_function" || name == "span" || name == "device_ptr" ||
      name == "optional") {
    return value_of(first);
  }
  return {};
}

Value Values::value_of_member_call(const CXXMemberCallExpr* call) const {
  const CXXMethodDecl* method = call->getMethodDecl();
  const Expr* object = call->getImplicitObjectArgument();
  // A lambda that is converted to a function pointer.
  if (object && isa_and_nonnull<CXXConversionDecl>(method) && method->getParent()->isLambda()) return value_of(object);
  if (!method || !object || !method->getIdentifier()) return {};
  StringRef name = method->getName();
  // front() of a queue of functions is a function that was put in, not the queue's memory.
  if (name == "front" && record_name(call->getType()) == "function") return content_of(object);
  if (name == "get" && is_smart_pointer(object->getType())) return value_of(object);
  if (name == "data" || name == "begin" || name == "c_str" || name == "end" || name == "cbegin" || name == "front" ||
      name == "rbegin" || name == "crbegin") {
    if (Value value = container_value(object); value.kind != Value::Kind::kUnknown) return value;
    if (is_span(object->getType())) return value_of(object);
  }
  const bool looks_up = name == "at" || name == "find" || name == "front" || name == "back";
  if (looks_up && is_container(object->getType()))
    return content_of(object, call->getNumArgs() == 1 ? call->getArg(0) : nullptr);
  return {};
}

Value Values::value_of_call(const CallExpr* call) const {
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call)) {
    const OverloadedOperatorKind kind = op->getOperator();
    if (kind == OO_Arrow || (kind == OO_Star && is_smart_pointer(op->getArg(0)->getType()))) {
      return value_of(op->getArg(0));
    }
    if (kind == OO_Subscript && op->getNumArgs() == 2) return content_of(op->getArg(0), op->getArg(1));
    if (kind == OO_Subscript || kind == OO_Star) return content_of(op->getArg(0));
    if (kind == OO_Plus || kind == OO_Equal) return value_of(op->getArg(kind == OO_Equal ? 1 : 0));
  }
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    Value value = value_of_member_call(member);
    if (value.kind != Value::Kind::kUnknown) return value;
  }
  const FunctionDecl* callee = call->getDirectCallee();
  if (callee && callee->getIdentifier() && call->getNumArgs() >= 1) {
    if (Value value = value_of_named_call(call, callee->getName()); value.kind != Value::Kind::kUnknown) return value;
  }
  if (auto found = event_of_.find(call); found != event_of_.end()) {
    Value value = make(Value::Kind::kCall);
    value.event = found->second;
    return value;
  }
  return {};
}

// std::forward(x), thrust::raw_pointer_cast(x), but no function of the program: a network's own forward(x) computes.
static bool passes_first_argument(const FunctionDecl* callee) {
  const StringRef name = callee->getName();
  if (name == "__builtin_assume_aligned") return true;
  const std::string whole = api_name(callee);
  const bool of_library = callee->isInStdNamespace() || StringRef(whole).starts_with("thrust::") ||
                          StringRef(whole).starts_with("cuda::") || StringRef(whole).starts_with("boost::");
  return of_library &&
         (name == "move" || name == "forward" || name == "raw_pointer_cast" || name == "as_const" || name == "next" ||
          name == "ref" || name == "launder" || name == "bind" || name == "bind_front" || name == "mem_fn");
}

// The value that a function of the standard library or of LibTorch passes through, by the function's name.
Value Values::value_of_named_call(const CallExpr* call, StringRef name) const {
  if (name == "addressof") return object_of(call->getArg(0));
  if (passes_first_argument(call->getDirectCallee())) return value_of(call->getArg(0));
  if (name == "register_module" && call->getNumArgs() == 2) return value_of(call->getArg(1));
  if (name != "make_unique" && name != "make_shared" && name != "make_unique_for_overwrite") return {};
  // A device held by a smart pointer is the device that it is made from.
  const auto* made = call->getDirectCallee()->getTemplateSpecializationArgs();
  const bool device = made && made->size() && made->get(0).getKind() == TemplateArgument::Type &&
                      is_device_type(made->get(0).getAsType());
  if (device) return device_value(call->getArg(0));
  Value value = make(Value::Kind::kAllocation);
  value.memory = MemoryKind::kPageable;
  value.place = place_of(call->getSourceRange(), context_);
  value.text = quoted_text(call->getSourceRange(), context_, 60);
  return value;
}

Value Values::object_of(const Expr* expr) const {
  expr = strip(expr);
  if (!expr) return {};
  // The type says which memory the elements are in, even for a reference.
  if (const StringRef name = record_name(expr->getType()); name == "device_vector" || name == "host_vector")
    return container_value(expr);
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const ValueDecl* decl = reference->getDecl();
    if (decl->getType()->isReferenceType()) return node_value(node_of(decl));
    if (isa<FunctionDecl>(decl)) return value_of_reference(reference);
    Value value = make(Value::Kind::kObject);
    value.node = node_of(decl);
    value.place = place_of(decl->getSourceRange(), context_);
    value.text = decl->getNameAsString();
    value.memory = MemoryKind::kPageable;
    if (decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAConstantAttr>()) value.memory = MemoryKind::kDevice;
    if (is_managed(decl)) value.memory = MemoryKind::kManaged;
    // A parameter of array type, or a container by value, has no address that is needed here.
    return value;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    if (isa<VarDecl>(member->getMemberDecl())) return node_value(node_of(cast<VarDecl>(member->getMemberDecl())));
    // A member is in the memory of its object; `node` names the field, so that values stored there are found again.
    Value value = member->isArrow() ? value_of(member->getBase()) : object_of(member->getBase());
    Value outer = make(Value::Kind::kAny);
    outer.operands.push_back(std::move(value));
    if (const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl())) outer.node = node_of(field);
    return outer;
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expr)) return value_of(subscript->getBase());
  if (const auto* unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Deref) return value_of(unary->getSubExpr());
    return object_of(unary->getSubExpr());
  }
  if (isa<CXXThisExpr>(expr)) return node_value(this_node_);
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    if (op->getOperator() == OO_Subscript || op->getOperator() == OO_Star) {
      Value value = container_value(op->getArg(0));
      return value.kind != Value::Kind::kUnknown ? value : value_of(op->getArg(0));
    }
  }
  if (isa<StringLiteral>(expr) || isa<CallExpr>(expr)) return value_of(expr);
  if (isa<CompoundLiteralExpr>(expr) || isa<InitListExpr>(expr) || isa<CXXConstructExpr>(expr)) {
    Value value = make(Value::Kind::kAllocation);
    value.memory = MemoryKind::kPageable;
    value.place = place_of(expr->getSourceRange(), context_);
    value.text = "a temporary";
    return value;
  }
  return {};
}

std::string Values::assigned_node(const Expr* lhs) const {
  lhs = strip(lhs);
  if (!lhs) return {};
  // A container has one name, whether it is named itself or through a pointer: `list->push_back(x)`, `(*list)[0]`.
  if (const Expr* pointer = pointer_to_container(lhs)) return assigned_node(pointer);
  if (const FunctionDecl* accessor = accessor_of(lhs, context_)) return return_node_of(accessor);
  if (const auto* reference = dyn_cast<DeclRefExpr>(lhs)) {
    return isa<VarDecl>(reference->getDecl()) ? node_of(reference->getDecl()) : "";
  }
  if (const auto* member = dyn_cast<MemberExpr>(lhs)) {
    return isa<FieldDecl, VarDecl>(member->getMemberDecl()) ? node_of(member->getMemberDecl()) : "";
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(lhs)) {
    std::string base = assigned_node(subscript->getBase());
    return base.empty() ? base : "*" + base;
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(lhs); unary && unary->getOpcode() == UO_Deref) {
    std::string base = assigned_node(unary->getSubExpr());
    return base.empty() ? base : "*" + base;
  }
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(lhs);
      op && (op->getOperator() == OO_Subscript || op->getOperator() == OO_Star)) {
    std::string base = assigned_node(op->getArg(0));
    return base.empty() ? base : "*" + base;
  }
  return {};
}

}  // namespace syncsniff::facts
