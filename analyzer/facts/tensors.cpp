// Tensor and device values of LibTorch expressions: which device a tensor is on, as far as one expression shows.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/loaders.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/recovered_calls.h"
#include "analyzer/facts/tensor_calls.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/words.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

Value::Device device_of_name(StringRef name) {
  if (name == "kCUDA" || name == "CUDA") return Value::Device::kCuda;
  if (name == "kCPU" || name == "CPU") return Value::Device::kCpu;
  return Value::Device::kUnknown;
}

// Whether a variable of this type may name a device: a device, options, a string; not a dtype.
bool names_device(QualType type) {
  return is_device_type(type) || type.getNonReferenceType()->isRecordType() ||
         type.getNonReferenceType()->isPointerType();
}

// TensorOptions(), TensorOptions(kFloat): options that do not name a device.
bool names_none(const CXXConstructExpr* construct) {
  if (!is_device_type(construct->getType())) return false;
  return std::all_of(construct->arg_begin(), construct->arg_end(), [](const Expr* arg) {
    return isa<CXXDefaultArgExpr>(arg) ||
           (strip(arg)->getType()->isEnumeralType() && !is_device_type(strip(arg)->getType()));
  });
}

// Dataset batches come from a loader's host threads: torch::data::Example and its stacks live on the CPU.
bool from_data_loader(const MemberExpr* member) {
  const auto* record = dyn_cast<RecordDecl>(member->getMemberDecl()->getDeclContext());
  return record && is_loaders_example(record);
}

// all[i], all.at(i), all.back(): the container. Null for anything else.
const Expr* container_read_by(const CallExpr* call) {
  const Expr* container = nullptr;
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call); op && op->getOperator() == OO_Subscript)
    container = op->getArg(0);
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    const CXXMethodDecl* method = member->getMethodDecl();
    const StringRef name = method && method->getIdentifier() ? method->getName() : "";
    if (name == "at" || name == "front" || name == "back") container = member->getImplicitObjectArgument();
  }
  container = strip(container);
  return container && is_container(container->getType()) ? container : nullptr;
}

}  // namespace

// A tensor from something that a missing header declares (a loader, a data set, an environment) is usually on the CPU.
// Nothing proves it, so the value is "CPU or unknown".
Value Values::value_of_unknown_type(const Expr* expr) const {
  Value value;
  value.kind = Value::Kind::kAny;
  value.operands = {with_device(Value::Device::kCpu, expr), Value{}};
  return value;
}

Value Values::with_device(Value::Device device, const Expr* expr) const {
  Value value;
  value.kind = Value::Kind::kTensor;
  value.device = device;
  value.place = place_of(expr->getSourceRange(), context_);
  value.text = source_text(expr->getSourceRange(), context_, 60);
  return value;
}

// "cuda:" + std::to_string(gpu): the literal that the text begins with.
static const clang::StringLiteral* beginning_of(const Expr* text) {
  if (const clang::StringLiteral* whole = literal_of(text)) return whole;
  const Expr* made = strip(text);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(made); construct && construct->getNumArgs() != 0)
    return beginning_of(construct->getArg(0));
  const auto* sum = dyn_cast<CXXOperatorCallExpr>(made);
  return sum && sum->getOperator() == OO_Plus && sum->getNumArgs() == 2 ? beginning_of(sum->getArg(0)) : nullptr;
}

// A device, device type or options expression, as a kTensor value on the device that it names.
Value Values::device_value(const Expr* expr) const {
  expr = strip(expr);
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    Value::Device named = device_of_name(reference->getDecl()->getName());
    if (named != Value::Device::kUnknown) return with_device(named, expr);
    // kFloat and the like convert to options, too, but name no device.
    if (isa<VarDecl>(reference->getDecl()) && names_device(reference->getType())) {
      Value value;
      value.kind = Value::Kind::kNode;
      value.node = node_of(reference->getDecl());
      return value;
    }
    return {};
  }
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    if (isa<FieldDecl, VarDecl>(member->getMemberDecl()) && names_device(member->getType())) {
      Value value;
      value.kind = Value::Kind::kNode;
      value.node = node_of(member->getMemberDecl());
      return value;
    }
  }
  if (const auto* literal = dyn_cast<clang::StringLiteral>(expr)) {
    return with_device(literal->getString().starts_with("cuda")  ? Value::Device::kCuda
                       : literal->getString().starts_with("cpu") ? Value::Device::kCpu
                                                                 : Value::Device::kUnknown,
                       expr);
  }
  if (const auto* conditional = dyn_cast<AbstractConditionalOperator>(expr)) {
    if (const auto taken = constant_truth(conditional->getCond(), context_))
      return device_value(*taken ? conditional->getTrueExpr() : conditional->getFalseExpr());
    Value value;
    value.kind = Value::Kind::kAny;
    value.operands = {device_value(conditional->getTrueExpr()), device_value(conditional->getFalseExpr())};
    return value;
  }
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
    // Device(kCUDA, 0), Device("cuda:0"), TensorOptions(...): the first argument that names a device.
    for (const Expr* arg : construct->arguments()) {
      const QualType type = strip(arg)->getType();
      if (isa<CXXDefaultArgExpr>(arg) || (type->isEnumeralType() && !is_device_type(type))) continue;
      const bool is_spelled = is_device_type(construct->getType()) && is_text(type);
      const clang::StringLiteral* literal = is_spelled ? beginning_of(arg) : nullptr;
      Value value = device_value(literal ? literal : arg);
      if (is_spelled && !literal) {
        Value spelled = with_device(Value::Device::kText, expr);
        spelled.operands = {std::move(value)};
        return spelled;
      }
      if (value.kind != Value::Kind::kUnknown) return value;
    }
    return names_none(construct) ? with_device(Value::Device::kUnnamed, expr) : Value{};
  }
  if (const auto* list = dyn_cast<InitListExpr>(expr)) {
    return list->getNumInits() ? device_value(list->getInit(0)) : with_device(Value::Device::kUnnamed, expr);
  }
  // *device: the value that the pointer was made from.
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_Deref)
    return value_of(unary->getSubExpr());
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr); op && op->getOperator() == OO_Star)
    return value_of(op->getArg(0));
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    if (const Expr* container = container_read_by(call)) return content_of(container);  // options[i]
    // options().device(d).dtype(t), torch::device(d), x.options(), x.device()
    for (const Expr* arg : call->arguments()) {
      const Expr* inner = strip(arg);
      if (is_device_type(inner->getType())) {
        Value value = device_value(inner);
        if (value.kind != Value::Kind::kUnknown) return value;
      }
    }
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
      const Expr* object = member->getImplicitObjectArgument();
      if (object && is_device_type(object->getType())) return device_value(object);
      if (object && is_tensor(object->getType())) return tensor_value(object);
      const auto* method = member->getMethodDecl();
      if (object && method && method->getIdentifier() && method->getName() == "value") return device_value(object);
      if (object && isa_and_nonnull<CXXConversionDecl>(method) && isa<CallExpr>(strip(object)))
        return device_value(object);
    }
    // torch::dtype(kFloat), TensorOptions().pinned_memory(true): LibTorch functions that return options without a
    // device.
    const FunctionDecl* callee = call->getDirectCallee();
    const std::string name = callee ? api_name(callee) : "";
    if (name == "at::CUDA" || name == "at::CPU")  // at::CUDA(at::kLong): options, as LibTorch's first versions had them
      return with_device(device_of_name(callee->getName()), expr);
    if (is_of_libtorch(name) && name.find("device") == std::string::npos && name.find("options") == std::string::npos)
      return with_device(Value::Device::kUnnamed, expr);
    if (auto found = event_of_.find(call); found != event_of_.end()) {
      Value value;
      value.kind = Value::Kind::kCall;
      value.event = found->second;
      return value;
    }
  }
  return {};
}

Value Values::tensor_value(const Expr* expr) const {
  expr = strip(expr);
  if (!expr) return {};
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    Value value;
    value.kind = Value::Kind::kNode;
    value.node = node_of(reference->getDecl());
    return value;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    if (from_data_loader(member)) {
      if (const Expr* given = member_given(member)) return value_of(given);
      // On the CPU. Whether it is pinned depends on what the program stores in such examples: its data set, or a
      // function that it maps over the batches.
      const bool handed_over = is_handed_over(member->getBase());
      Value loaded = with_device(handed_over ? Value::Device::kExample : Value::Device::kCpu, expr), field;
      field.kind = Value::Kind::kNode;
      field.node = node_of(member->getMemberDecl());
      loaded.operands = {std::move(field)};
      if (const auto makers = makers_of_batch(member->getBase())) {
        Value classes;
        classes.kind = Value::Kind::kAny;
        for (const std::string& usr : *makers) {
          classes.operands.emplace_back().kind = Value::Kind::kFunction;
          classes.operands.back().node = usr;
        }
        loaded.operands.push_back(std::move(classes));
      }
      return loaded;
    }
    Value value;
    value.kind = Value::Kind::kNode;
    value.node = node_of(member->getMemberDecl());
    return value;
  }
  if (const auto* conditional = dyn_cast<AbstractConditionalOperator>(expr)) {
    Value value;
    value.kind = Value::Kind::kAny;
    value.operands = {tensor_value(conditional->getTrueExpr()), tensor_value(conditional->getFalseExpr())};
    return value;
  }
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
    if (construct->getNumArgs()) return value_of(construct->getArg(0));
    Value undefined;  // on no device until something is assigned to it
    undefined.kind = Value::Kind::kNull;
    return undefined;
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expr)) return value_of(unary->getSubExpr());
  if (const auto* recovery = dyn_cast<RecoveryExpr>(expr)) {
    Value value = with_device(Value::Device::kFromOperands, expr);
    const UnacceptedOperation operation = unaccepted_operation(recovery);
    if (operation.tensor) value.operands.push_back(value_of(operation.tensor));
    if (takes_indices(operation.name)) return value;
    for (const Expr* part : recovery->subExpressions()) {
      if (!part->isTypeDependent() && is_tensor(part->getType())) value.operands.push_back(value_of(part));
    }
    return value.operands.empty() ? Value{} : value;
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    const Expr* container = container_read_by(call);
    if (container && (isa<DeclRefExpr, MemberExpr>(container) || pointer_to_container(container)))
      return content_of(container);
    if (Value elements = elements_made_by(container); elements.kind != Value::Kind::kUnknown) return elements;
    const Expr* object = nullptr;
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) object = member->getImplicitObjectArgument();
    return tensor_from_call(call, call->getDirectCallee(), object);
  }
  return {};
}

Value Values::elements_made_by(const Expr* container) const {
  const auto* call = dyn_cast_or_null<CallExpr>(strip(container));
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const ApiFact* api = callee && is_container(call->getType()) ? fact_of(callee, apis_) : nullptr;
  if (api) return api->tensor.empty() ? Value{} : place_of_operation(call);
  const auto event = call ? event_of_.find(call) : event_of_.end();
  if (event == event_of_.end() || !is_list_of_tensors(call->getType())) return {};
  Value made;
  made.kind = Value::Kind::kCall;
  made.event = event->second;
  return made;
}

Value Values::place_of_operation(const CallExpr* call) const {
  const Expr* object = nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) object = member->getImplicitObjectArgument();
  return tensor_from_call(call, call->getDirectCallee(), object);
}

Value Values::tensor_from_call(const CallExpr* call, const FunctionDecl* callee, const Expr* object) const {
  const ApiFact* api = callee ? fact_of(callee, apis_) : nullptr;
  auto event = event_of_.find(call);
  if (!api && event != event_of_.end() && !(object && is_tensor(object->getType()))) {
    // For a function of the project, or of a module, the return value is more precise than the arguments.
    Value value;
    value.kind = Value::Kind::kCall;
    value.event = event->second;
    for (const Expr* arg : call->arguments()) {
      if (is_tensor(arg->getType())) value.operands.push_back(value_of(arg));
    }
    return value;
  }
  const std::string role = api ? api->tensor : "";
  if (role == "to_host") return with_device(Value::Device::kCpu, call);
  // A device anywhere among the arguments decides: to(device), zeros(shape, options), rand(shape, kCUDA).
  Value device;
  for (const Expr* arg : call->arguments()) {
    if (isa<CXXDefaultArgExpr>(arg) || !is_device_type(strip(arg)->getType())) continue;
    device = device_value(arg);
    // It names a device that is unknown here, so the tensor is not certainly on the CPU.
    if (device.kind == Value::Kind::kUnknown) device = with_device(Value::Device::kUnknown, arg);
  }
  const bool pinned = role == "factory_cpu" && std::any_of(call->arg_begin(), call->arg_end(), [](const Expr* arg) {
                        return is_device_type(strip(arg)->getType()) && asks_for_pinned(arg);
                      });
  // from_blob() uses existing memory: its options do not make that memory pinned.
  const bool blob = callee && callee->getIdentifier() && callee->getName() == "from_blob";
  Value otherwise = role == "factory_cpu" ? with_device(Value::Device::kCpu, call)
                    : role == "to_device" ? with_device(Value::Device::kCuda, call)
                                          : tensor_from_operands(call, object, role);
  if (blob && otherwise.device == Value::Device::kCpu && call->getNumArgs() != 0)
    otherwise.operands = {value_of(call->getArg(0))};
  if (device.kind == Value::Kind::kUnknown) return otherwise;
  Value made = with_device(Value::Device::kNamed, call);
  made.pinned = pinned && !blob;
  made.claims_pinned = pinned && blob;
  made.operands = {std::move(device), std::move(otherwise)};
  return made;
}

// Whether the call returns new memory, as an operation that computes does. A view shares memory, x.add_(1) is x, and
// x.to() may be x.
static bool makes_memory(const CallExpr* call, const std::string& role) {
  if (role != "op" && role != "elementwise" && role != "layer" && role != "sum") return false;
  const FunctionDecl* callee = call->getDirectCallee();
  return callee && !(callee->getIdentifier() && callee->getName().ends_with("_"));
}

Value Values::tensor_from_operands(const CallExpr* call, const Expr* object, const std::string& role) const {
  Value value = with_device(Value::Device::kFromOperands, call);
  value.pinned = role == "pin";
  value.new_memory = makes_memory(call, role);
  if (object && is_tensor(object->getType())) value.operands.push_back(value_of(object));
  const FunctionDecl* callee = call->getDirectCallee();
  if (!value.operands.empty() && callee && takes_indices(api_name(callee))) return value;
  for (const Expr* arg : call->arguments()) {
    if (is_tensor(strip(arg)->getType())) value.operands.push_back(value_of(arg));
    // cat({a, b}), stack(list): the elements of a braced list or a container of tensors.
    if (!is_tensor(strip(arg)->getType()) && isa<InitListExpr, CXXConstructExpr>(strip(arg))) {
      for (const Expr* tensor : listed_tensors(arg)) value.operands.push_back(value_of(tensor));
    }
    if (std::string node = container_of_tensors(arg); !node.empty()) {
      Value elements;
      elements.kind = Value::Kind::kContent;
      elements.node = std::move(node);
      value.operands.push_back(std::move(elements));
    }
  }
  return value;
}

}  // namespace syncsniff::facts
