// How FunctionWalker records where the value of a call is stored, and what constructing and deleting an object runs.
#include <algorithm>

#include "analyzer/facts/containers.h"
#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/own_allocators.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// A status says nothing about what was made: only objects, pointers and integers of 64 bits, as a CUdeviceptr, are
// followed.
bool may_hold_memory(QualType type, const ASTContext& context) {
  if (type.isNull() || type->isDependentType()) return false;  // in a declaration with an error
  if (type->isEnumeralType() || type->isBooleanType()) return false;
  return !type->isIntegerType() || context.getTypeSize(type) >= 64;
}

}  // namespace

// The event of the call or construction that yields the expression's value, through owners, moves and `new`.
int FunctionWalker::event_behind(const Expr* expr) const {
  expr = strip(expr);
  if (!expr) return -1;
  if (const auto* made = dyn_cast<CXXNewExpr>(expr))
    return made->getConstructExpr() ? event_behind(made->getConstructExpr()) : -1;
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr); construct && construct->getNumArgs() != 0) {
    const bool hands_on =
        construct->getConstructor()->isCopyOrMoveConstructor() || is_smart_pointer(construct->getType());
    if (const int inner = hands_on ? event_behind(construct->getArg(0)) : -1; inner >= 0) return inner;
  }
  return values_.event_of(expr);
}

void FunctionWalker::name_result(const Expr* made, const std::string& into, const Expr* element) {
  // cond ? std::make_unique<A>() : std::make_unique<B>()
  if (const auto* choice = dyn_cast_or_null<ConditionalOperator>(strip(made))) {
    name_result(choice->getTrueExpr(), into, element);
    name_result(choice->getFalseExpr(), into, element);
    return;
  }
  const bool follows = !into.empty() && may_hold_memory(made->getType(), context_);
  const int index = follows ? event_behind(made) : -1;
  if (index < 0) return;
  Event& event = function().events[index];
  event.into = into;
  if (!element) return;
  for (const OpenLoop& open : loops_) {
    if (mentions(element, open.scan.varying)) event.loops.into_varies_with.push_back(open.region);
  }
}

// std::make_unique<Buffer>(n): Buffer's constructor is in the project, but the call of it is in the library.
void FunctionWalker::construct_in_library(const CXXConstructorDecl* constructor, const Expr* at) {
  if (!constructor || !project_.contains(constructor->getLocation(), context_.getSourceManager())) return;
  Event event = start_event(Event::Kind::kCall, at);
  event.callee.id = usr_of(constructor);
  event.callee.name = constructor->getParent()->getNameAsString();
  const auto* member = dyn_cast<CXXMemberCallExpr>(at);
  if (member) event.into = values_.container_node(member->getImplicitObjectArgument());
  const auto* call = dyn_cast<CallExpr>(at);
  for (unsigned i = 0; call && i < std::min(call->getNumArgs(), constructor->getNumParams()); ++i)
    add_argument(event, call->getArg(i), parameter_type(constructor, i));
  push(std::move(event), at);
}

void FunctionWalker::delete_object(const CXXDeleteExpr* deletion) {
  for (const CXXDestructorDecl* destructor : destructors_of(deletion->getDestroyedType())) {
    if (!project_.contains(destructor->getLocation(), context_.getSourceManager())) continue;
    Event event = start_event(Event::Kind::kCall, deletion);
    event.callee.id = usr_of(destructor);
    event.callee.name = api_name(destructor);
    event.callee.is_virtual = destructor->isVirtual();
    event.object = values_.value_of(deletion->getArgument());
    push(std::move(event), nullptr);
  }
}

// An allocator of the program's own may reuse memory, so that the cost of such a container is not known.
bool FunctionWalker::has_own_allocator(const CXXRecordDecl* container) const {
  static const std::set<std::string> kOfLibrary = {"device_allocator", "universal_allocator",
                                                   "universal_host_pinned_allocator", "stateless_resource_allocator"};
  const auto* spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(container);
  if (!spec || spec->getTemplateArgs().size() < 2) return false;
  const TemplateArgument& allocator = spec->getTemplateArgs()[1];
  return allocator.getKind() == TemplateArgument::Type &&
         kOfLibrary.count(record_name(allocator.getAsType()).str()) == 0;
}

// The library's code that calls the allocator is not read.
void FunctionWalker::call_allocator(const CXXMethodDecl* method, Event event) {
  if (!method) return;
  event.callee.name = api_name(method);
  const ApiFact* api = apis_.find(event.callee.name);
  if (!api && !project_.contains(method->getLocation(), context_.getSourceManager())) return;
  event.kind = api ? Event::Kind::kApi : Event::Kind::kCall;
  event.callee.id = api ? event.callee.name.str() : usr_of(method);
  push(std::move(event), nullptr);
}

// std::vector<float, Pinned<float>> batch(n);
void FunctionWalker::make_elements(const CXXConstructExpr* construct) {
  if (!makes_elements(construct)) return;
  call_allocator(allocator_methods(construct->getType()).allocate, start_event(Event::Kind::kCall, construct));
}

// batch.reserve(n) of a container that was made empty in the same iteration. One that was made before has room already
// from the second iteration on.
void FunctionWalker::give_room(const CallExpr* call) {
  const VarDecl* container = given_room(call);
  if (!container || (!loops_.empty() && !declared_in(container, loops_.back().stmt, context_))) return;
  if (!given_room_.insert(container).second) return;
  call_allocator(allocator_methods(container->getType()).allocate, start_event(Event::Kind::kCall, call));
}

// thrust's containers inherit their methods from vector_base: names them after the container that they are called on,
// as the tables do.
std::string FunctionWalker::container_method(const CXXRecordDecl* container, const std::string& name) const {
  static const std::string kShared = "thrust::detail::vector_base::";
  if (!container || name.rfind(kShared, 0) != 0) return name;
  std::string owner = api_name(container);
  if (owner == "thrust::detail::vector_base") {
    const auto* spec = dyn_cast<ClassTemplateSpecializationDecl>(container);
    const auto& args = spec ? spec->getTemplateArgs().asArray() : ArrayRef<TemplateArgument>();
    const StringRef allocator =
        args.size() > 1 && args[1].getKind() == TemplateArgument::Type ? record_name(args[1].getAsType()) : StringRef();
    owner = allocator.contains("universal") ? "thrust::universal_vector" : "thrust::device_vector";
  }
  return owner + "::" + name.substr(kShared.size());
}

}  // namespace syncsniff::facts
