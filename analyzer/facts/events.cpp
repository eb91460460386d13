// Expressions -> events: launches, constructions, reads and writes of memory by the host. Calls are in calls.cpp.
#include <clang/AST/Attr.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/ending_flags.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/host_sums.h"
#include "analyzer/facts/kernel_slices.h"
#include "analyzer/facts/kernel_updates.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/loaders.h"
#include "analyzer/facts/member_copies.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/recovered_calls.h"
#include "analyzer/facts/tensor_calls.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool has_call(const Stmt* stmt) {
  if (!stmt) return false;
  if (isa<CallExpr>(stmt) && !isa<CXXOperatorCallExpr>(stmt)) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(), [](const Stmt* child) { return has_call(child); });
}

}  // namespace

void FunctionWalker::children(const Stmt* stmt) {
  for (const Stmt* child : stmt->children()) {
    if (const auto* expr = dyn_cast_or_null<Expr>(child))
      expression(expr);
    else if (child)
      statement(child);
  }
}

void FunctionWalker::expression(const Expr* expr) {
  if (!expr) return;
  if (const auto* e = dyn_cast<CUDAKernelCallExpr>(expr)) return launch(e);
  if (const auto* e = dyn_cast<CXXOperatorCallExpr>(expr); e && e->isAssignmentOp() && e->getNumArgs() == 2) {
    called_name_ = strip(e->getCallee());
    children(e);
    // x *= y does not make x another tensor.
    if (e->getOperator() == OO_Equal) assignment(e->getArg(0), e->getArg(1), nullptr);
    flag_write(e->getArg(0), e->getOperator() == OO_Equal ? e->getArg(1) : nullptr);
    return call(e);
  }
  if (const auto* e = dyn_cast<CallExpr>(expr)) {
    called_name_ = strip(e->getCallee());
    children(e);
    const auto* member = dyn_cast<CXXMemberCallExpr>(e);
    const auto* method = member ? member->getMethodDecl() : nullptr;
    if (method && method->getIdentifier() && method->getName() == "store" && e->getNumArgs() != 0)
      flag_write(member->getImplicitObjectArgument(), e->getArg(0));
    const auto* op = dyn_cast<CXXOperatorCallExpr>(e);
    if (op && op->getOperator() == OO_Minus && op->getNumArgs() == 2) elapsed(e, e->getArg(0), e->getArg(1));
    return call(e);
  }
  if (const auto* e = dyn_cast<CXXConstructExpr>(expr)) {
    children(e);
    return construct(e);
  }
  if (const auto* e = dyn_cast<CXXDeleteExpr>(expr)) {
    children(e);
    return delete_object(e);
  }
  if (const auto* e = dyn_cast<DeclRefExpr>(expr)) return reference(e);
  if (const auto* e = dyn_cast<LambdaExpr>(expr)) return lambda(e);
  if (const auto* e = dyn_cast<RecoveryExpr>(expr)) return recovered(e);
  if (const auto* e = dyn_cast<CXXDefaultArgExpr>(expr)) return expression(e->getExpr());
  if (const auto* e = dyn_cast<CXXDefaultInitExpr>(expr)) return expression(e->getExpr());
  if (const auto* e = dyn_cast<AbstractConditionalOperator>(expr)) {
    expression(e->getCond());
    branch(e->getTrueExpr(), e->getCond(), true, nullptr);
    branch(e->getFalseExpr(), e->getCond(), false, nullptr);
    return;
  }
  // step % 100 == 0 && report(loss): works like an if.
  if (const auto* e = dyn_cast<BinaryOperator>(expr); e && e->isLogicalOp() && has_call(e->getRHS())) {
    expression(e->getLHS());
    return branch(e->getRHS(), e->getLHS(), e->getOpcode() == BO_LAnd, nullptr);
  }
  if (const auto* e = dyn_cast<BinaryOperator>(expr); e && e->isAssignmentOp()) {
    children(e);
    if (!e->isCompoundAssignmentOp()) assignment(e->getLHS(), e->getRHS(), e);
    flag_write(e->getLHS(), e->isCompoundAssignmentOp() ? nullptr : e->getRHS());
    // y->data += n: moves the pointer within the memory that it pointed to.
    const bool moves = e->isCompoundAssignmentOp() && e->getType()->isPointerType();
    if (moves && isa<MemberExpr>(strip(e->getLHS()))) assignment(e->getLHS(), e->getLHS(), e);
    return host_write(e->getLHS());
  }
  if (const auto* e = dyn_cast<UnaryOperator>(expr); e && e->isIncrementDecrementOp())
    flag_write(e->getSubExpr(), nullptr);
  if (const auto* e = dyn_cast<BinaryOperator>(expr); e && e->getOpcode() == BO_Sub) {
    children(e);
    return elapsed(e, e->getLHS(), e->getRHS());
  }
  if (const auto* e = dyn_cast<InitListExpr>(expr)) {
    children(e);
    return initialise_fields(e);
  }
  if (const auto* e = dyn_cast<UnaryOperator>(expr); e && e->isIncrementDecrementOp()) {
    children(e);
    return host_write(e->getSubExpr());
  }
  if (const auto* e = dyn_cast<ImplicitCastExpr>(expr); e && e->getCastKind() == CK_LValueToRValue) {
    children(e);  // buffer.data()[i]: the call comes before the read
    return read_through(strip(e->getSubExpr()));
  }
  if (const auto* e = dyn_cast<CoroutineSuspendExpr>(expr)) return suspend(e);
  if (isa<UnaryExprOrTypeTraitExpr>(expr)) return;  // sizeof(x) runs nothing
  children(expr);
}

// co_yield x, co_await x.
void FunctionWalker::suspend(const CoroutineSuspendExpr* expr) {
  if (!loops_.empty() && function().resumed_loop < 0) function().resumed_loop = loops_.back().region;
  expression(expr->getCommonExpr());  // contains the operand
  expression(expr->getReadyExpr());
  expression(expr->getSuspendExpr());
  expression(expr->getResumeExpr());
}

// The owner or view through which x[i] or *x accesses memory: a smart pointer or a span. nullptr: it is neither.
static const Expr* accessed_through(const Expr* access) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(access);
  if (!op || (op->getOperator() != OO_Subscript && op->getOperator() != OO_Star)) return nullptr;
  const Expr* owner = strip(op->getArg(0));  // without the conversion to the base that has the operator
  return is_smart_pointer(owner->getType()) || is_span(owner->getType()) ? owner : nullptr;
}

// x[i], *p, p->x, read or returned as a reference.
void FunctionWalker::read_through(const Expr* read) {
  if (const Expr* owner = accessed_through(read)) host_read(owner, read);
  if (const auto* reference = dyn_cast<DeclRefExpr>(read)) managed_touch(Event::Kind::kHostRead, reference);
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(read)) host_read(subscript->getBase(), read);
  if (const auto* unary = dyn_cast<UnaryOperator>(read); unary && unary->getOpcode() == UO_Deref) {
    host_read(unary->getSubExpr(), read);
  }
  // p->x and (*p).x and p[i].x read what p points to.
  for (const auto* member = dyn_cast<MemberExpr>(read); member;
       member = dyn_cast<MemberExpr>(strip(member->getBase()))) {
    const Expr* base = strip(member->getBase());
    if (member->isArrow() && !isa<CXXThisExpr>(base)) host_read(base, read);
    if (const Expr* owner = accessed_through(base)) host_read(owner, read);
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(base)) host_read(subscript->getBase(), read);
    if (const auto* unary = dyn_cast<UnaryOperator>(base); unary && unary->getOpcode() == UO_Deref) {
      host_read(unary->getSubExpr(), read);
    }
  }
}

// The host accesses a managed variable by its name, without a pointer.
void FunctionWalker::managed_touch(Event::Kind kind, const DeclRefExpr* reference) {
  const auto* var = dyn_cast<VarDecl>(reference->getDecl());
  if (!var || !is_managed(var)) return;
  Event event = start_event(kind, reference);
  event.object = values_.object_of(reference);
  event.object.memory = MemoryKind::kManaged;
  push(std::move(event), nullptr);
}

// An object with virtual functions is in host memory: kernels neither construct nor call such objects.
static bool points_to_host_object(const Expr* base) {
  const QualType type = base->getType();
  const CXXRecordDecl* record = type.isNull() ? nullptr : type->getPointeeCXXRecordDecl();
  return record && record->hasDefinition() && record->isPolymorphic();
}

void FunctionWalker::host_read(const Expr* base, const Expr* whole) {
  if (!whole->getType()->isArithmeticType() || points_to_host_object(base)) return;
  Event event = start_event(Event::Kind::kHostRead, whole);
  event.object = values_.value_of(base);
  event.is_volatile = whole->getType().isVolatileQualified();
  const std::string node = values_.assigned_node(base);
  if (!node.empty() && !host_reads_.insert(std::to_string(region_) + node).second) return;
  push(std::move(event), nullptr);
}

// x[i] = v, *p = v, p->x = v
void FunctionWalker::host_write(const Expr* target) {
  target = strip(target);
  if (!target || target->getType().isNull() || !target->getType()->isArithmeticType()) return;
  if (const auto* reference = dyn_cast<DeclRefExpr>(target)) return managed_touch(Event::Kind::kStore, reference);
  const Expr* base = nullptr;
  const Expr* whole = target;
  while (const auto* member = dyn_cast<MemberExpr>(target)) {
    const Expr* of = strip(member->getBase());
    if (member->isArrow()) {
      base = isa<CXXThisExpr>(of) ? nullptr : of;
      break;
    }
    target = of;
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(target)) base = subscript->getBase();
  const auto* unary = dyn_cast<UnaryOperator>(target);
  if (unary && unary->getOpcode() == UO_Deref) base = unary->getSubExpr();
  if (!base) base = accessed_through(target);
  if (!base || points_to_host_object(base)) return;
  Event event = start_event(Event::Kind::kStore, whole);
  event.object = values_.value_of(base);
  const std::string node = values_.assigned_node(base);
  if (!node.empty() && !host_reads_.insert("=" + std::to_string(region_) + node).second) return;
  push(std::move(event), nullptr);
}

void FunctionWalker::lambda(const LambdaExpr* lambda) {
  for (const Expr* init : lambda->capture_inits()) {
    if (init) expression(init);
  }
  for (const FunctionDecl* body : bodies_of(lambda)) lambdas_.emplace_back(body, function().usr);
}

// t[i] = x copies x's values into t, whose memory stays the same.
static bool writes_into_tensor(const Expr* left) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(strip(left));
  return op && op->getOperator() == OO_Subscript && is_tensor(op->getArg(0)->getType());
}

void FunctionWalker::assignment(const Expr* left, const Expr* right, const Expr* whole) {
  name_result(right, values_.assigned_node(left), left);
  if (const CallExpr* tied = tie_of_variables(left)) {
    const Value pack = values_.value_of(right);
    for (unsigned i = 0; i < tied->getNumArgs(); ++i)
      flow(values_.assigned_node(tied->getArg(i)), values_.element_of(pack, static_cast<int>(i)),
           left->getSourceRange());
    return;
  }
  const QualType type = left->getType();
  if (!may_hold_pointer(type) || writes_into_tensor(left)) return;
  if (auto [node, pack] = values_.pack_with(left, values_.value_of(right)); !node.empty())
    return flow(node, std::move(pack), left->getSourceRange());
  const std::string into = values_.assigned_node(left);
  if (into.empty()) return;
  const bool holds_module = record_name(type) == "AnyModule" && record_name(right->getType()) != "AnyModule";
  Value value = holds_module ? values_.callables_in(right) : values_.value_of(right);
  if (holds_one_function(type)) value = kept_under(key_of_element(left), std::move(value));
  flow(into, std::move(value), left->getSourceRange());
}

// `value` null: what it becomes is not known.
void FunctionWalker::flag_write(const Expr* left, const Expr* value) {
  const ValueDecl* flag = named_decl(strip(left));
  if (!is_shared_flag(flag)) return;
  const auto number = value ? constant_integer(value, context_) : std::nullopt;
  function().flag_writes.push_back({node_of(flag), region_, number ? *number != 0 : -1});
}

void FunctionWalker::initialise_fields(const InitListExpr* list) {
  const auto* record = list->getType().getCanonicalType()->getAsRecordDecl();
  if (!record) return;
  for_each_field(list, [&](const FieldDecl* field, const Expr* init) {
    flow(node_of(field), bound_value(init, field->getType()), init->getSourceRange());
    if (is_container(field->getType())) keep_callables_in(node_of(field), init);
  });
}

// k<<<g, b, 0, streams[i]>>>(x + i * n): each iteration of the innermost loop has its own stream and its own part of
// one array.
bool FunctionWalker::splits_over_streams(const CUDAKernelCallExpr* call) const {
  const CallExpr* config = call->getConfig();
  if (!config || config->getNumArgs() < 4 || loops_.empty()) return false;
  const auto& varying = loops_.back().scan.varying;
  return mentions(config->getArg(3), varying) && std::all_of(call->arg_begin(), call->arg_end(), [&](const Expr* arg) {
           const auto* offset = dyn_cast<BinaryOperator>(strip(arg));
           const auto* element = dyn_cast<UnaryOperator>(strip(arg));
           return !arg->getType()->isPointerType() || !mentions(arg, varying) || (offset && offset->isAdditiveOp()) ||
                  (element && element->getOpcode() == UO_AddrOf);
         });
}

// Adds the loops in which the kernel changes an array that the loop does not pick, unless the loop's counter selects
// the slice that is changed.
void FunctionWalker::add_updates(Event& event, const CallExpr* call, const FunctionDecl* kernel) const {
  if (loops_.empty()) return;
  std::optional<Slices> slices;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    if (update_of(kernel, i) != Update::kGoesOn) continue;
    if (!slices) slices = slices_of(kernel);
    for (const OpenLoop& open : loops_) {
      const bool own = std::any_of(slices->own.begin(), slices->own.end(), [&](unsigned number) {
        return number < call->getNumArgs() && mentions(call->getArg(number), open.scan.induction);
      });
      if (!own && !mentions(call->getArg(i), open.scan.varying)) event.loops.carries_in.push_back(open.region);
    }
  }
}

void FunctionWalker::launch(const CUDAKernelCallExpr* call) {
  if (call->getConfig()) {
    for (const Expr* arg : call->getConfig()->arguments()) expression(arg);
  }
  for (const Expr* arg : call->arguments()) expression(arg);
  Event event = start_event(Event::Kind::kLaunch, call);
  const FunctionDecl* kernel = callee_of(call, context_);
  if (kernel) {
    event.callee.id = usr_of(kernel);
    event.callee.name = api_name(kernel);
  } else {
    event.callee.indirect = true;
    event.object = values_.value_of(call->getCallee());
  }
  if (call->getConfig() && call->getConfig()->getNumArgs() > 3) {
    const Expr* stream = call->getConfig()->getArg(3);
    if (!isa<CXXDefaultArgExpr>(stream))
      name_stream(event, source_text(stream->getSourceRange(), context_, 80), target_of(stream, QualType()));
  }
  for (unsigned i = 0; i < call->getNumArgs(); ++i) add_argument(event, call->getArg(i), parameter_type(kernel, i));
  add_sums(event, call);
  event.stream.own = splits_over_streams(call);
  leave_out_recurrences(event, call, kernel);
  add_updates(event, call, kernel);
  push(std::move(event), call);
}

// train(missing_type): Clang drops the call and keeps its parts. Its name still shows what is called.
void FunctionWalker::recovered(const RecoveryExpr* expr) {
  children(expr);
  if (tensor_operation(expr)) return;
  const auto parts = expr->subExpressions();
  const FunctionDecl* callee =
      parts.empty() ? nullptr : callee_by_name(parts.front(), static_cast<unsigned>(parts.size()) - 1, context_);
  if (!callee) return;
  const bool is_kernel = callee->hasAttr<CUDAGlobalAttr>();
  Event event = start_event(is_kernel ? Event::Kind::kLaunch : Event::Kind::kCall, expr);
  event.callee.name = api_name(callee);
  const ApiFact* api = is_kernel ? nullptr : fact_of(callee, event.callee.name, apis_);
  if (api) event.kind = api->tensor.empty() ? Event::Kind::kApi : Event::Kind::kTensor;
  event.callee.id = api ? event.callee.name : Text(usr_of(callee));
  event.callee.harmless = callee->isInStdNamespace();
  event.callee.is_virtual = is_dispatched(parts.front(), callee);
  for (unsigned i = 1; i < parts.size(); ++i) add_argument(event, parts[i], parameter_type(callee, i - 1));
  push(std::move(event), expr);
}

// x.index(mask), which LibTorch 2 does not accept any more: an operation of that name all the same.
bool FunctionWalker::tensor_operation(const RecoveryExpr* expr) {
  const UnacceptedOperation operation = unaccepted_operation(expr);
  if (!operation.tensor) return false;
  const auto arguments = expr->subExpressions().drop_front();
  const std::string form = form_of_indexing(operation.name, arguments, truths_);
  const ApiFact* api = apis_.find(form.empty() ? operation.name : form);
  if (!api || api->tensor.empty()) return false;
  Event event = start_event(Event::Kind::kTensor, expr);
  event.callee.name = operation.name;
  event.callee.id = api->name;
  event.object = values_.receiver(operation.tensor);
  event.result = values_.value_of(expr);
  for (const Expr* argument : arguments) add_argument(event, argument, {});
  push(std::move(event), nullptr);
  return true;
}

// sum += x: each iteration reads the value that the previous one left in a tensor from outside the loop.
void FunctionWalker::add_carries(Event& event, const Expr* target) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(target));
  if (!reference || !is_tensor(target->getType())) return;
  for (const OpenLoop& open : loops_) {
    if (!declared_in(reference->getDecl(), open.stmt, context_)) event.loops.carries_in.push_back(open.region);
  }
}

void FunctionWalker::copy_device_vector(const Expr* copy, const CXXMethodDecl* by, const Expr* from) {
  Event event = start_event(Event::Kind::kApi, copy);
  const bool made = isa<CXXConstructorDecl>(by);
  event.callee.id = made ? "thrust::device_vector::(constructor)" : "thrust::device_vector::operator=";
  event.callee.name = "device_vector, copied with '" + by->getParent()->getNameAsString() + "',";
  event.object.kind = Value::Kind::kAllocation;
  event.object.memory = MemoryKind::kDevice;
  add_argument(event, from, {});
  event.args.back().value = event.object;
  push(std::move(event), nullptr);
}

void FunctionWalker::construct(const CXXConstructExpr* construct) {
  make_elements(construct);
  const CXXConstructorDecl* constructor = construct->getConstructor();
  const std::string name = container_method(constructor->getParent(), api_name(constructor));
  const ApiFact* api = apis_.find(name);
  if (is_loaders_example(constructor->getParent()) && !constructor->isCopyOrMoveConstructor()) {
    auto field = constructor->getParent()->field_begin();
    for (unsigned i = 0; i < construct->getNumArgs() && field != constructor->getParent()->field_end(); ++i, ++field)
      flow(node_of(*field), values_.value_of(construct->getArg(i)), construct->getSourceRange());
  }
  if (api && (constructor->isMoveConstructor() || construct->isElidable()))
    return;  // moves the contents, which costs nothing
  // A constructor that the compiler generates is not walked as a function: it only runs the members' own initialisers.
  if (!constructor->isUserProvided() && !constructor->isCopyOrMoveConstructor()) {
    for (const FieldDecl* field : constructor->getParent()->fields()) {
      const Expr* init = field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
      if (init && may_hold_pointer(field->getType()))
        flow(node_of(field), bound_value(init, field->getType()), field->getSourceRange());
    }
  }
  if (copies_device_vector(constructor) && !construct->isElidable())
    return copy_device_vector(construct, constructor, construct->getArg(0));
  const bool of_project = project_.contains(constructor->getParent()->getLocation(), context_.getSourceManager());
  const bool copies =
      of_project && constructor->isCopyConstructor() && constructor->isUserProvided() && !construct->isElidable();
  const bool trivial = constructor->isTrivial() || (constructor->isCopyOrMoveConstructor() && !copies);
  if (!api && (trivial || constructor->getParent()->isLambda())) return;
  if (constructor->getParent()->getName() == "dim3") return;  // three numbers, in every launch
  // A constructor that the compiler generates runs the constructors of the members.
  if (!api && of_project && !constructor->isUserProvided() && constructor->hasBody())
    lambdas_.emplace_back(constructor, "");
  Event event = start_event(api ? Event::Kind::kApi : Event::Kind::kCall, construct);
  event.callee.id = api ? name : usr_of(constructor);
  event.callee.name = constructor->getParent()->getNameAsString();
  if (api) event.object = values_.receiver(construct);  // thrust's vectors: where their elements live
  event.callee.own_allocator = api && has_own_allocator(constructor->getParent());
  for (unsigned i = 0; i < construct->getNumArgs(); ++i) {
    if (isa<CXXDefaultArgExpr>(construct->getArg(i))) continue;
    add_argument(event, construct->getArg(i), parameter_type(constructor, i));
    if (of_project && !api) event.arg_sums.push_back(HostSums(context_, writes_, decl_).of(construct->getArg(i)));
  }
  push(std::move(event), construct);
  construct_in_library(constructor_of_elements(construct), construct);
}

}  // namespace syncsniff::facts
