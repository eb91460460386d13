// Expressions -> events: calls, launches, tensor operations, reads of memory by the host.
#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool has_tensor(const CallExpr* call) {
  if (is_tensor(call->getType())) return true;
  for (const Expr* arg : call->arguments()) {
    if (is_tensor(strip(arg)->getType())) return true;
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  return member && member->getImplicitObjectArgument() && is_tensor(member->getImplicitObjectArgument()->getType());
}

// item.value(), list[i]: a reference to a tensor that somebody keeps. In-place operations have a tensor to work on.
bool hands_out_tensor(const CallExpr* call) {
  if (!is_tensor(call->getType()) || !call->isLValue()) return false;
  const Expr* object = nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) object = member->getImplicitObjectArgument();
  if (object && is_tensor(object->getType())) return false;
  return (object || isa<CXXOperatorCallExpr>(call)) &&
         std::none_of(call->arg_begin(), call->arg_end(), [](auto* arg) { return is_tensor(strip(arg)->getType()); });
}

bool prints_tensor(const CallExpr* call) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  const bool into_stream =
      op && op->getNumArgs() == 2 &&
      op->getArg(0)->getType().getCanonicalType().getAsString().find("stream") != std::string::npos;
  return into_stream && op->getOperator() == OO_LessLess && is_tensor(strip(op->getArg(1))->getType()) &&
         !is_tensor(strip(op->getArg(0))->getType());
}

// A plain C library's header: not CUDA's, whose functions may put work on the GPU without our tables knowing them.
bool from_c_library(const FunctionDecl* callee, const ASTContext& context) {
  const SourceManager& sm = context.getSourceManager();
  if (callee->getBuiltinID()) return true;
  if (!sm.isInSystemHeader(callee->getLocation()) || !callee->isExternC()) return false;
  StringRef file = sm.getFilename(sm.getFileLoc(callee->getLocation()));
  return !file.contains("cuda") && !file.contains("/cu") && !file.contains("nccl") && !file.contains("torch");
}

// cudaSetDevice(step % devices): a loop that takes the devices in turn goes through something else.
bool takes_turns(const Expr* device) {
  device = strip(device);
  if (const auto* reference = dyn_cast<DeclRefExpr>(device)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var && var->getInit() && var->isLocalVarDecl() && takes_turns(var->getInit());
  }
  const auto* binary = dyn_cast<BinaryOperator>(device);
  return binary && (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_And);
}

// Calls what it is given for one element after the other.
bool is_loop_of_library(const std::string& name) {
  static const std::set<std::string> kLoops = {"std::for_each",   "std::for_each_n", "std::transform",
                                               "std::accumulate", "std::generate",   "std::generate_n",
                                               "std::all_of",     "std::any_of",     "std::none_of",
                                               "std::count_if",   "std::find_if",    "std::transform_reduce"};
  return kLoops.count(name) != 0 || name.rfind("std::ranges::for_each", 0) == 0;
}

bool has_call(const Stmt* stmt) {
  if (!stmt) return false;
  if (isa<CallExpr>(stmt) && !isa<CXXOperatorCallExpr>(stmt)) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(), [](const Stmt* child) { return has_call(child); });
}

QualType parameter_type(const FunctionDecl* callee, unsigned index) {
  return callee && index < callee->getNumParams() ? callee->getParamDecl(index)->getType() : QualType();
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
    children(e);
    // x *= y leaves x where it is.
    if (e->getOperator() == OO_Equal) assignment(e->getArg(0), e->getArg(1), nullptr);
    return call(e);
  }
  if (const auto* e = dyn_cast<CallExpr>(expr)) {
    children(e);
    return call(e);
  }
  if (const auto* e = dyn_cast<CXXConstructExpr>(expr)) {
    children(e);
    return construct(e);
  }
  if (const auto* e = dyn_cast<LambdaExpr>(expr)) return lambda(e);
  if (const auto* e = dyn_cast<CXXDefaultArgExpr>(expr)) return expression(e->getExpr());
  if (const auto* e = dyn_cast<CXXDefaultInitExpr>(expr)) return expression(e->getExpr());
  if (const auto* e = dyn_cast<AbstractConditionalOperator>(expr)) {
    expression(e->getCond());
    branch(e->getTrueExpr(), e->getCond(), true, nullptr);
    branch(e->getFalseExpr(), e->getCond(), false, nullptr);
    return;
  }
  // step % 100 == 0 && report(loss): an if without the word.
  if (const auto* e = dyn_cast<BinaryOperator>(expr); e && e->isLogicalOp() && has_call(e->getRHS())) {
    expression(e->getLHS());
    return branch(e->getRHS(), e->getLHS(), e->getOpcode() == BO_LAnd, nullptr);
  }
  if (const auto* e = dyn_cast<BinaryOperator>(expr); e && e->isAssignmentOp()) {
    children(e);
    if (!e->isCompoundAssignmentOp()) assignment(e->getLHS(), e->getRHS(), e);
    return;
  }
  if (const auto* e = dyn_cast<InitListExpr>(expr)) {
    children(e);
    return initialise_fields(e);
  }
  if (const auto* e = dyn_cast<ImplicitCastExpr>(expr); e && e->getCastKind() == CK_LValueToRValue) {
    const Expr* read = strip(e->getSubExpr());
    if (const auto* reference = dyn_cast<DeclRefExpr>(read)) managed_read(reference);
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(read)) host_read(subscript->getBase(), read);
    if (const auto* unary = dyn_cast<UnaryOperator>(read); unary && unary->getOpcode() == UO_Deref) {
      host_read(unary->getSubExpr(), read);
    }
    // p->x and (*p).x and p[i].x read what p points to.
    for (const auto* member = dyn_cast<MemberExpr>(read); member;
         member = dyn_cast<MemberExpr>(strip(member->getBase()))) {
      const Expr* base = strip(member->getBase());
      if (member->isArrow() && !isa<CXXThisExpr>(base)) host_read(base, read);
      if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(base)) host_read(subscript->getBase(), read);
      if (const auto* unary = dyn_cast<UnaryOperator>(base); unary && unary->getOpcode() == UO_Deref) {
        host_read(unary->getSubExpr(), read);
      }
    }
  }
  if (isa<UnaryExprOrTypeTraitExpr>(expr)) return;  // sizeof(x) runs nothing
  children(expr);
}

// A managed variable is read by its name alone.
void FunctionWalker::managed_read(const DeclRefExpr* reference) {
  const auto* var = dyn_cast<VarDecl>(reference->getDecl());
  if (!var || !is_managed(var)) return;
  Event event = start_event(Event::Kind::kHostRead, reference);
  event.object = values_.object_of(reference);
  event.object.memory = MemoryKind::kManaged;
  push(std::move(event), nullptr);
}

void FunctionWalker::host_read(const Expr* base, const Expr* whole) {
  if (!whole->getType()->isArithmeticType()) return;
  Event event = start_event(Event::Kind::kHostRead, whole);
  event.object = values_.value_of(base);
  event.is_volatile = whole->getType().isVolatileQualified();
  const std::string node = values_.assigned_node(base);
  if (!node.empty() && !host_reads_.insert(std::to_string(region_) + node).second) return;
  push(std::move(event), nullptr);
}

void FunctionWalker::lambda(const LambdaExpr* lambda) {
  for (const Expr* init : lambda->capture_inits()) {
    if (init) expression(init);
  }
  for (const FunctionDecl* body : bodies_of(lambda)) lambdas_.emplace_back(body, function().usr);
}

void FunctionWalker::assignment(const Expr* left, const Expr* right, const Expr* whole) {
  const QualType type = left->getType();
  if (!is_pointer_like(type)) return;
  const std::string into = values_.assigned_node(left);
  if (into.empty()) return;
  flow(into, values_.value_of(right), left->getSourceRange());
}

void FunctionWalker::initialise_fields(const InitListExpr* list) {
  const auto* record = list->getType().getCanonicalType()->getAsRecordDecl();
  if (!record) return;
  for_each_field(list, [&](const FieldDecl* field, const Expr* init) {
    flow(node_of(field), bound_value(init, field->getType()), init->getSourceRange());
  });
}

void FunctionWalker::launch(const CUDAKernelCallExpr* call) {
  if (call->getConfig()) {
    for (const Expr* arg : call->getConfig()->arguments()) expression(arg);
  }
  for (const Expr* arg : call->arguments()) expression(arg);
  Event event = start_event(Event::Kind::kLaunch, call);
  const FunctionDecl* kernel = call->getDirectCallee();
  if (kernel) {
    event.callee = usr_of(kernel);
    event.callee_name = api_name(kernel);
  } else {
    event.indirect = true;
    event.object = values_.value_of(call->getCallee());
  }
  if (call->getConfig() && call->getConfig()->getNumArgs() > 3) {
    const Expr* stream = call->getConfig()->getArg(3);
    if (!isa<CXXDefaultArgExpr>(stream)) {
      event.stream = source_text(stream->getSourceRange(), context_, 80);
      event.stream_node = target_of(stream, QualType());
    }
    if (event.stream == "0" || event.stream == "nullptr" || event.stream == "NULL") event.stream.clear();
  }
  for (unsigned i = 0; i < call->getNumArgs(); ++i) add_argument(event, call->getArg(i), parameter_type(kernel, i));
  for (const OpenLoop& open : loops_) {
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      if (goes_on_from(kernel, i) && !mentions(call->getArg(i), open.scan.varying))
        event.carries_in.push_back(open.region);
    }
  }
  push(std::move(event), call);
}

// sum += x: each iteration goes on from what the one before left in a tensor of outside the loop.
void FunctionWalker::add_carries(Event& event, const Expr* target) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(target));
  if (!reference || !is_tensor(target->getType())) return;
  const SourceManager& sources = context_.getSourceManager();
  const SourceLocation born = reference->getDecl()->getLocation();
  for (const OpenLoop& open : loops_) {
    const bool inside = sources.isPointWithin(born, open.stmt->getBeginLoc(), open.stmt->getEndLoc());
    if (!inside) event.carries_in.push_back(open.region);
  }
}

void FunctionWalker::construct(const CXXConstructExpr* construct) {
  const CXXConstructorDecl* constructor = construct->getConstructor();
  const std::string name = api_name(constructor);
  const ApiFact* api = apis_.find(name);
  // Nobody wrote this constructor, so nobody walks it: the members' own initialisers are all that it does.
  if (!constructor->isUserProvided() && !constructor->isCopyOrMoveConstructor()) {
    for (const FieldDecl* field : constructor->getParent()->fields()) {
      const Expr* init = field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
      if (init && is_pointer_like(field->getType()))
        flow(node_of(field), bound_value(init, field->getType()), field->getSourceRange());
    }
  }
  const bool trivial = constructor->isTrivial() || constructor->isCopyOrMoveConstructor();
  if (!api && (trivial || constructor->getParent()->isLambda())) return;
  Event event = start_event(api ? Event::Kind::kApi : Event::Kind::kCall, construct);
  event.callee = api ? name : usr_of(constructor);
  event.callee_name = constructor->getParent()->getNameAsString();
  event.harmless = event.callee_name == "dim3";         // three numbers, of every launch
  if (api) event.object = values_.receiver(construct);  // thrust's vectors: where their elements live
  for (unsigned i = 0; i < construct->getNumArgs(); ++i) {
    if (isa<CXXDefaultArgExpr>(construct->getArg(i))) continue;
    add_argument(event, construct->getArg(i), parameter_type(constructor, i));
  }
  push(std::move(event), construct);
}

// hooks.push_back(f), hooks.emplace("loss", f), net->push_back(Block()): what a call of what is kept there may run.
void FunctionWalker::keep_callable(const CXXMemberCallExpr* call, StringRef name) {
  if (name != "push_back" && name != "emplace_back" && name != "push_front" && name != "insert_or_assign" &&
      name != "emplace" && name != "try_emplace" && name != "insert" && name != "push") {
    return;
  }
  const Expr* kept = call->getArg(call->getNumArgs() - 1);
  keep_callables_in(values_.container_node(call->getImplicitObjectArgument()), kept);
}

void FunctionWalker::keep_callables_in(const std::string& container, const Expr* kept) {
  if (container.empty()) return;
  Value callables = values_.callables_in(kept);
  if (callables.kind != Value::Kind::kAny || !callables.operands.empty())
    flow("*" + container, std::move(callables), kept->getSourceRange());
}

void FunctionWalker::call(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (const FunctionDecl* forward = held_forward(call)) callee = forward;
  const AutogradPasses passes = autograd_passes(callee);
  if (passes.forward) callee = passes.forward;
  const std::string shown = callee ? api_name(callee) : "";
  const std::string selection = callee ? selection_by_values(call, shown) : "";
  const std::string name = selection.empty() ? shown : selection;
  const ApiFact* api = callee ? apis_.find(name) : nullptr;
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  Event event = start_event(Event::Kind::kCall, call);
  if (prints_tensor(call)) {
    event.kind = Event::Kind::kTensor;
    event.callee = "at::operator<<";
  } else if (api && api->library == "libtorch" && !api->tensor.empty()) {
    event.kind = Event::Kind::kTensor;
    event.callee = name;
  } else if (api) {
    event.kind = Event::Kind::kApi;
    event.callee = name;
  } else if (callee && callee->getBuiltinID() && !callee->isExternC()) {
    return;
  } else if (callee) {
    event.callee = usr_of(callee);
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    event.is_virtual = method && method->isVirtual();
  } else {
    event.indirect = true;
    event.object = values_.value_of(call->getCallee());
  }
  event.callee_name = callee ? shown : source_text(call->getCallee()->getSourceRange(), context_, 60);
  // std::function and its like: the call goes to what the object was made from.
  unsigned first = 0;
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call)) {
    first = isa_and_nonnull<CXXMethodDecl>(callee) || op->getOperator() == OO_Call ? 1 : 0;
    if (first) {
      event.object = op->getOperator() == OO_Call ? values_.value_of(op->getArg(0)) : values_.receiver(op->getArg(0));
      if (is_sequential_forward(callee)) event.object = values_.kept_in(op->getArg(0));
      event.indirect |= op->getOperator() == OO_Call && !held_forward(call);
      if (is_tensor(op->getArg(0)->getType())) add_loops(event, op->getArg(0));
      if (op->isAssignmentOp()) add_carries(event, op->getArg(0));
    }
  }
  if (member && member->getImplicitObjectArgument()) {
    const Expr* object = member->getImplicitObjectArgument();
    event.object = is_sequential_forward(callee) ? values_.kept_in(object) : values_.receiver(object);
    add_loops(event, object);
  }
  if (callee && event.kind == Event::Kind::kCall &&
      !project_.contains(callee->getLocation(), context_.getSourceManager())) {
    const bool standard = callee->isInStdNamespace() || name.rfind("std::", 0) == 0;
    event.harmless = standard || from_c_library(callee, context_);
    if (!event.indirect && has_tensor(call) && !standard && !hands_out_tensor(call)) event.kind = Event::Kind::kTensor;
    event.harmless |= hands_out_tensor(call);
  }
  if (is_sequential_forward(callee)) event.indirect = true;
  if (passes.forward) add_no_argument(event);  // its AutogradContext
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    if (isa<CXXDefaultArgExpr>(call->getArg(i))) continue;
    add_argument(event, call->getArg(i), parameter_type(callee, i - first + (passes.forward ? 1 : 0)));
  }
  if (api) {
    api_flows(event, *api);
    for (const OpenLoop& open : loops_) {
      if (api->switches_device && call->getNumArgs() != 0 && mentions(call->getArg(0), open.scan.varying) &&
          !takes_turns(call->getArg(0)))
        event.varies_with.push_back(open.region);
    }
    if (api->stream_arg >= 0 && api->stream_arg < static_cast<int>(event.arg_texts.size())) {
      event.stream = event.arg_texts[api->stream_arg];
      event.stream_node = event.arg_nodes[api->stream_arg];
      if (event.stream == "0" || event.stream == "nullptr" || event.stream == "NULL") event.stream.clear();
      // #define CURRENT streams[at]: one text, another stream each time.
      const Expr* stream = call->getArg(api->stream_arg);
      if (!event.stream.empty() && !is_written_here(stream->getBeginLoc(), context_.getSourceManager())) event.run = 0;
    }
  }
  if (callee && callee->getIdentifier() && callee->getName() == "swap" && call->getNumArgs() == 2) {
    flow(values_.assigned_node(call->getArg(0)), values_.value_of(call->getArg(1)), call->getSourceRange());
    flow(values_.assigned_node(call->getArg(1)), values_.value_of(call->getArg(0)), call->getSourceRange());
  }
  if (member && callee && callee->getIdentifier() && call->getNumArgs() >= 1) keep_callable(member, callee->getName());
  mark_statement(event, call);
  if (event.kind == Event::Kind::kTensor) event.result = values_.place_of_operation(call);
  const bool once = name == "std::call_once" || name == "pthread_once";
  const bool each = event.harmless && is_loop_of_library(name);
  if (once || each) {
    Guard guard;
    guard.gate = once ? Gate::kLazy : Gate::kNone;
    event.region = enter(once ? Region::Kind::kBranch : Region::Kind::kLoop, call->getSourceRange(),
                         call->getSourceRange(), guard);
  }
  push(std::move(event), call);
  if (once || each) leave();
  if (passes.backward) {
    Event backward = start_event(Event::Kind::kCall, call);
    backward.callee = usr_of(passes.backward);
    backward.callee_name = api_name(passes.backward);
    push(std::move(backward), nullptr);
  }
}

}  // namespace syncsniff::facts
