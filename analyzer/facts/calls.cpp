// Calls -> events: calls of functions in the tables, of tensor operations, of the project's functions and of unknown
// ones.
#include <algorithm>

#include "analyzer/facts/algorithms.h"
#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/copy_descriptors.h"
#include "analyzer/facts/coroutines.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/library_version.h"
#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/member_copies.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/recovered_calls.h"
#include "analyzer/facts/sums.h"
#include "analyzer/facts/tensor_calls.h"
#include "analyzer/facts/turns.h"
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

// item.value(), list[i]: a reference to a tensor that an object holds. In-place operations, by contrast, are called on
// a tensor.
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

// Declared in a header of the C library, not in one of CUDA, whose functions may put work on the GPU although the
// tables do not have them.
bool from_c_library(const FunctionDecl* callee, const ASTContext& context) {
  const SourceManager& sm = context.getSourceManager();
  if (callee->getBuiltinID()) return true;
  if (!sm.isInSystemHeader(callee->getLocation()) || !callee->isExternC()) return false;
  StringRef file = sm.getFilename(sm.getFileLoc(callee->getLocation()));
  return !file.contains("cuda") && !file.contains("/cu") && !file.contains("nccl") && !file.contains("torch");
}

// cudaSetDevice(step % devices): a loop that takes the devices in turn does not iterate over the devices themselves.
bool takes_turns(const Expr* device) {
  device = strip(device);
  if (const auto* reference = dyn_cast<DeclRefExpr>(device)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var && var->getInit() && var->isLocalVarDecl() && takes_turns(var->getInit());
  }
  const auto* binary = dyn_cast<BinaryOperator>(device);
  return binary && (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_And);
}

// The class of the object that a method is called on; the method may be inherited from a base.
const CXXRecordDecl* container_of(const CallExpr* call) {
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const Expr* object = member ? member->getImplicitObjectArgument() : nullptr;
  if (!object) return nullptr;
  QualType type = object->IgnoreParenImpCasts()->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  return type.getCanonicalType()->getAsCXXRecordDecl();
}

// The class of the object if the method is inherited from a base; empty if it is the class's own, or a library's.
std::string derived_class(const Expr* object, const CXXMethodDecl* method, const ProjectFiles& project,
                          const ASTContext& context) {
  const QualType type = strip(object)->getType();
  const CXXRecordDecl* record = type->isPointerType() ? type->getPointeeCXXRecordDecl() : type->getAsCXXRecordDecl();
  if (!record || !project.contains(method->getLocation(), context.getSourceManager())) return {};
  const bool is_base = record->getCanonicalDecl() != method->getParent()->getCanonicalDecl();
  return is_base ? usr_of(record) : std::string();
}

}  // namespace

// What a call calls, as far as its own expression shows.
struct FunctionWalker::Called {
  const FunctionDecl* callee;
  AutogradPasses passes;
  std::string shown, name;  // for display, and in the tables
  const ApiFact* api;
};

// hooks.push_back(f), hooks.emplace("loss", f), net->push_back(Block()): records what a later call of an element may
// run.
void FunctionWalker::keep_callable(const CXXMemberCallExpr* call, StringRef name) {
  if (!stores_element(name)) return;
  const Expr* kept = call->getArg(call->getNumArgs() - 1);
  const std::string container = values_.container_node(call->getImplicitObjectArgument());
  if (start_thread_in(container, call)) return;
  keep_callables_in(container, kept, call->getNumArgs() == 2 ? key_in(call->getArg(0)) : "");
  name_result(kept, container);
}

// workers.emplace_back(run, this): a function passed to a list of threads runs at once, and no later call of an element
// runs it.
bool FunctionWalker::start_thread_in(const std::string& container, const CXXMemberCallExpr* call) {
  const StringRef element = element_name(call->getImplicitObjectArgument()->getType());
  if (element != "thread" && element != "jthread") return false;
  if (!call->getMethodDecl()->getName().starts_with("emplace")) return true;  // its argument is a thread already
  Event event = start_event(Event::Kind::kCall, call);
  event.callee.name = element.str();
  event.into = container;
  for (const Expr* arg : call->arguments()) add_argument(event, arg, {});
  push(std::move(event), nullptr);
  return true;
}

void FunctionWalker::keep_callables_in(const std::string& container, const Expr* kept, const std::string& key) {
  if (container.empty()) return;
  const QualType type = strip(kept)->getType();
  if (is_tensor(type) || is_device_type(type) || is_pack_of_tensors(type))
    return flow("*" + container, values_.value_of(kept), kept->getSourceRange());
  // std::vector<Tensor> all{a, b}
  for (const Expr* tensor : listed_tensors(kept))
    flow("*" + container, values_.value_of(tensor), kept->getSourceRange());
  Value callables = values_.callables_in(kept);
  if (callables.kind != Value::Kind::kAny || !callables.operands.empty())
    flow("*" + container, kept_under(key, std::move(callables)), kept->getSourceRange());
}

// float cublasSdot(n, x, 1, y, 1) of cublas.h, against cublasSdot(handle, n, x, 1, y, 1, &result) of cublas_v2.h, whose
// header is missing or does the renaming itself: the entry of the _v2 function, if only that one has as many
// parameters.
static const ApiFact* of_later_version(const FunctionDecl* callee, const ApiFact& fact, const ApiTable& apis) {
  const unsigned count = callee->getNumParams();
  if (fact.parameters.empty() || fact.parameters.size() == count) return nullptr;
  const ApiFact* later = apis.find(fact.name + "_v2");
  return later && later->parameters.size() == count ? later : nullptr;
}

FunctionWalker::Called FunctionWalker::called_by(const CallExpr* call) const {
  Called called;
  called.callee = callee_of(call, context_);
  if (const FunctionDecl* forward = held_forward(call)) called.callee = forward;
  called.passes = autograd_passes(called.callee);
  if (called.passes.forward) called.callee = called.passes.forward;
  called.shown = called.callee ? api_name(called.callee) : "";
  std::string form = called.callee ? form_of_tensor_call(call, called.shown, truths_) : "";
  const ApiFact* const special = form.empty() ? nullptr : apis_.find(form);
  if (special && !special->fixed_in.empty() && is_since(torch_version_, special->fixed_in)) form.clear();
  called.name = form.empty() ? called.shown : form;
  if (const CXXRecordDecl* container = container_of(call)) called.name = container_method(container, called.name);
  called.api = called.callee ? fact_of(called.callee, called.name, apis_) : nullptr;
  if (const ApiFact* later = called.api ? of_later_version(called.callee, *called.api, apis_) : nullptr) {
    called.api = later;
    called.name = later->name;
  }
  // With a default stream per thread CUDA's headers rename cudaMemcpy to cudaMemcpy_ptds; the source says cudaMemcpy.
  for (const char* suffix : {"_ptds", "_ptsz"}) {
    if (called.api && StringRef(called.shown).ends_with(suffix) && !StringRef(called.api->name).ends_with(suffix))
      called.shown.resize(called.shown.size() - 5);
  }
  return called;
}

void FunctionWalker::name_callee(Event& event, const CallExpr* call, const Called& called) {
  if (prints_tensor(call)) {
    event.kind = Event::Kind::kTensor;
    event.callee.id = "at::operator<<";
  } else if (called.api) {
    const bool tensor = called.api->library == "libtorch" && !called.api->tensor.empty();
    event.kind = tensor ? Event::Kind::kTensor : Event::Kind::kApi;
    event.callee.id = called.name;
  } else if (called.callee) {
    event.callee.id = usr_of(called.callee);
    event.callee.is_virtual = is_dispatched(call->getCallee(), called.callee);
  } else {
    event.callee.indirect = true;
    event.object = values_.value_of(call->getCallee());
  }
  // update(w, b): shows the variable that holds the lambda, since the lambda has no name.
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(called.callee);
  const auto* by_operator = dyn_cast<CXXOperatorCallExpr>(call);
  if (method && method->getParent()->isLambda() && by_operator) {
    event.callee.name = source_text(by_operator->getArg(0)->getSourceRange(), context_, 60);
    return;
  }
  // cublasSdot() is a macro for cublasSdot_v2(): shows the name that the user wrote.
  constexpr const char* kVersion = "_v2";
  const std::string written = source_text(call->getCallee()->getSourceRange(), context_, 60);
  if (called.api && called.shown == written + kVersion) {
    event.callee.name = written;
    return;
  }
  const bool of_internal_base = called.api && called.shown.find("::detail::") != std::string::npos;
  event.callee.name = of_internal_base ? called.name : called.callee ? called.shown : written;
}

// Fills in the event's object. Returns the index of the first argument that is not the object.
unsigned FunctionWalker::name_object(Event& event, const CallExpr* call, const FunctionDecl* callee) {
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call)) {
    const Expr* object = call->getNumArgs() != 0 ? call->getArg(0) : nullptr;
    if (!object || (!isa_and_nonnull<CXXMethodDecl>(callee) && op->getOperator() != OO_Call)) return 0;
    // std::function and the like: the call runs what the object was made from.
    event.object = op->getOperator() == OO_Call ? values_.value_of(object) : values_.receiver(object);
    if (is_forward_of_held(callee)) event.object = values_.kept_in(object);
    event.callee.indirect |= op->getOperator() == OO_Call && !held_forward(call);
    // Holds for *tensors[i] = 0 of the project's own classes, but not for ++it.
    const bool of_project = callee && project_.contains(callee->getLocation(), context_.getSourceManager());
    if (of_project || is_tensor(object->getType()) || event.kind == Event::Kind::kApi) add_loops(event, object);
    if (op->isAssignmentOp()) add_carries(event, object);
    add_picked_object(event, object);
    return 1;
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  // In a call through a pointer to member, the event's object is the method that is called.
  if (member && member->getMethodDecl() && member->getImplicitObjectArgument()) {
    const Expr* object = member->getImplicitObjectArgument();
    event.object = is_forward_of_held(callee) ? values_.kept_in(object) : values_.receiver(object);
    if (is_stand_in(member->getMethodDecl()->getParent())) event.object = values_.value_of_unknown_type(object);
    add_loops(event, object);
    add_picked_object(event, object);
    event.callee.of_class = derived_class(object, member->getMethodDecl(), project_, context_);
  }
  return 0;
}

void FunctionWalker::add_picked_object(Event& event, const Expr* object) {
  if (event.kind != Event::Kind::kCall) return;
  for (const OpenLoop& open : loops_) {
    if (!mentions(object, open.scan.varying)) continue;
    event.loops.index_args.push_back(kObject);
    event.loops.index_args.push_back(open.region);
  }
}

// A foreign function that the tables do not have: its arguments decide whether it works on tensors.
void FunctionWalker::judge_foreign(Event& event, const CallExpr* call, const Called& called) {
  if (!called.callee || event.kind != Event::Kind::kCall) return;
  if (project_.contains(called.callee->getLocation(), context_.getSourceManager())) return;
  const bool standard = called.callee->isInStdNamespace() || called.name.rfind("std::", 0) == 0;
  const bool hands_out = hands_out_tensor(call);
  event.callee.harmless = standard || hands_out || from_c_library(called.callee, context_);
  const auto* method = dyn_cast<CXXMethodDecl>(called.callee);
  if (standard && method &&
      container_memory(context_.getRecordType(method->getParent()), apis_) == MemoryKind::kPageable)
    event.object.memory = MemoryKind::kPageable;
  if (!event.callee.indirect && !standard && !hands_out && has_tensor(call)) event.kind = Event::Kind::kTensor;
}

// Records at most one function per header, which is enough to find out whether the header's source was read.
void FunctionWalker::note_undefined(const FunctionDecl* callee) {
  constexpr size_t kMostHeaders = 64;
  if (!callee || callee->isDefined() || callee->isPureVirtual() || callee->isTemplateInstantiation() ||
      unit_.undefined.size() >= kMostHeaders)
    return;
  const SourceManager& sm = context_.getSourceManager();
  const FileID file = sm.getFileID(sm.getExpansionLoc(callee->getLocation()));
  if (file == sm.getMainFileID() || !project_.contains(callee->getLocation(), sm)) return;
  const Text header = place_of(callee->getSourceRange(), context_).file;
  const bool known =
      std::ranges::any_of(unit_.undefined, [&](const Undefined& other) { return other.header == header; });
  if (!known && !header.empty()) unit_.undefined.push_back({usr_of(callee), api_name(callee), header});
}

void FunctionWalker::use_api(Event& event, const CallExpr* call, const ApiFact& api) {
  const QualType returned = call->getType();
  if (api.copy && api.copy->bytes == kReturn && !returned->isDependentType() && !returned->isIncompleteType())
    event.result_bytes = context_.getTypeSizeInChars(returned).getQuantity();
  const int descriptor = api.copy ? api.copy->descriptor : kNoArg;
  if (descriptor >= 0 && descriptor < static_cast<int>(event.args.size()))
    event.args[descriptor].constant = copy_kind(call->getArg(descriptor), decl_, context_).value_or(kNotConstant);
  api_flows(event, api);
  for (const OpenLoop& open : loops_) {
    if (api.switches_device && call->getNumArgs() != 0 && mentions(call->getArg(0), open.scan.varying) &&
        !takes_turns(call->getArg(0)))
      event.loops.varies_with.push_back(open.region);
    for (unsigned i = 0; api.elementwise && i < call->getNumArgs(); ++i) {
      if (!may_hold_pointer(call->getArg(i)->getType()) || !mentions(call->getArg(i), open.scan.varying)) continue;
      event.loops.index_args.push_back(static_cast<int>(i));
      event.loops.index_args.push_back(open.region);
    }
  }
  if (api.stream_arg < 0 || api.stream_arg >= static_cast<int>(event.args.size())) return;
  name_stream(event, event.args[api.stream_arg].text, event.args[api.stream_arg].node);
  // #define CURRENT streams[at]: the same text names another stream each time.
  const Expr* stream = call->getArg(api.stream_arg);
  event.stream.by_turns = picked_by_turns(stream, decl_->getBody());
  if (!event.stream.text.empty() && !is_written_here(stream->getBeginLoc(), context_.getSourceManager()))
    event.statement.run = 0;
}

// v.shrink_to_fit() frees what a clear() or the like has left. For a local vector that the body never shrinks, it frees
// nothing.
static bool shrinks_nothing(const CallExpr* call, const Stmt* body) {
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl* method = member ? member->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || method->getName() != "shrink_to_fit" || !body) return false;
  const auto* vector = dyn_cast_or_null<VarDecl>(named_decl(member->getImplicitObjectArgument()));
  if (!vector || !vector->isLocalVarDecl() || vector->getType()->isReferenceType()) return false;
  const auto is_changed = [&](const auto& self, const Stmt* stmt) -> bool {
    if (!stmt) return false;
    const auto* reference = dyn_cast<DeclRefExpr>(stmt);
    if (reference && reference->getDecl() == vector) return true;
    const auto* reader = dyn_cast<CXXMemberCallExpr>(stmt);
    const CXXMethodDecl* reads = reader ? reader->getMethodDecl() : nullptr;
    const bool keeps_size =
        reads && named_decl(reader->getImplicitObjectArgument()) == vector &&
        (reads->isConst() || reader == call ||
         (reads->getIdentifier() && llvm::is_contained({"data", "begin", "end", "front", "back"}, reads->getName())));
    if (keeps_size) {
      return std::any_of(reader->arg_begin(), reader->arg_end(), [&](const Expr* arg) { return self(self, arg); });
    }
    return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  return !is_changed(is_changed, body);
}

void FunctionWalker::call(const CallExpr* call) {
  give_room(call);
  const Called called = called_by(call);
  const FunctionDecl* callee = called.callee;
  Event event = start_event(Event::Kind::kCall, call);
  const bool builtin = callee && callee->getBuiltinID() && !callee->isExternC();
  if (builtin && !called.api && !prints_tensor(call)) return;
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (called.api && called.api->library == "thrust_cub" && method && method->isMoveAssignmentOperator())
    return;  // moves the contents, which costs nothing
  if (called.api && shrinks_nothing(call, decl_->getBody())) return;
  name_callee(event, call, called);
  const unsigned first = name_object(event, call, callee);
  judge_foreign(event, call, called);
  if (!called.api) note_undefined(callee);
  if (is_forward_of_held(callee)) event.callee.indirect = true;
  if (std::string coroutine = resumed_by(callee); !coroutine.empty()) {
    event.callee.id = coroutine;
    event.callee.is_virtual = true;
    event.callee.indirect = false;
  }
  if (called.passes.forward) add_no_argument(event);  // the AutogradContext parameter, which apply() does not take
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    if (isa<CXXDefaultArgExpr>(call->getArg(i))) continue;
    add_argument(event, call->getArg(i), parameter_type(callee, i - first + (called.passes.forward ? 1 : 0)));
  }
  if (called.api) use_api(event, call, *called.api);
  if (event.kind == Event::Kind::kCall && !event.callee.harmless)
    event.key = key_of({call->getArgs() + first, call->getNumArgs() - first});
  event.callee.own_allocator = called.api && has_own_allocator(container_of(call));
  if (event.kind == Event::Kind::kApi || (event.kind == Event::Kind::kCall && !event.callee.harmless)) {
    if (called.passes.forward) event.arg_sums.push_back(sum_of("the AutogradContext"));
    add_sums(event, call);
  }
  const StringRef own_name = callee && callee->getIdentifier() ? callee->getName() : "";
  if (own_name == "swap" && call->getNumArgs() == 2) {
    flow(values_.assigned_node(call->getArg(0)), values_.value_of(call->getArg(1)), call->getSourceRange());
    flow(values_.assigned_node(call->getArg(1)), values_.value_of(call->getArg(0)), call->getSourceRange());
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  if (member && !own_name.empty() && call->getNumArgs() >= 1) keep_callable(member, own_name);
  mark_statement(event, call);
  if (event.kind == Event::Kind::kTensor) event.result = values_.place_of_operation(call);
  const bool once = called.name == "std::call_once" || called.name == "pthread_once";
  const bool each = event.callee.harmless && is_loop_of_library(called.name) && event.args.size() > 1;
  if (once || each) {
    Guard guard;
    guard.gate = once ? Gate::kLazy : Gate::kNone;
    event.region = enter(once ? Region::Kind::kBranch : Region::Kind::kLoop, call->getSourceRange(),
                         call->getSourceRange(), guard);
    if (each) for_each_element(event, call, is_for_each(called.name));
  }
  push(std::move(event), call);
  if (copies_device_vector(callee) && call->getNumArgs() == 2)
    copy_device_vector(call, cast<CXXMethodDecl>(callee), call->getArg(1));
  construct_in_library(constructor_in_library(call), call);
  if (each) call_of_view(call->getArg(isa<CXXOperatorCallExpr>(call) ? 1 : 0));
  if (once || each) leave();
  if (called.passes.backward) {
    Event backward = start_event(Event::Kind::kCall, call);
    backward.callee.id = usr_of(called.passes.backward);
    backward.callee.name = api_name(called.passes.backward);
    push(std::move(backward), nullptr);
  }
}

}  // namespace syncsniff::facts
