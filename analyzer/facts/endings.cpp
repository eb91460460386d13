// What runs at the end of a block without being written there: destructors of the project's own types, deleters of
// owners.
#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/left_fields.h"
#include "analyzer/facts/lifetimes.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/own_allocators.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool names(const Expr* expr, const VarDecl* variable) {
  const auto* named = expr ? dyn_cast_or_null<DeclRefExpr>(strip(expr)) : nullptr;
  return named && named->getDecl() == variable;
}

// The statement as a call of a method of the variable: v.method(). Null for every other statement.
const CXXMemberCallExpr* call_on(const VarDecl* variable, const Stmt* stmt) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(stmt);
  return call && names(call->getImplicitObjectArgument(), variable) ? call : nullptr;
}

StringRef method_name(const CXXMemberCallExpr* call) {
  const CXXMethodDecl* method = call->getMethodDecl();
  return method && method->getIdentifier() ? method->getName() : "";
}

// Moved, returned, released or copied from: another owner may run its deleter.
bool given_away(const VarDecl* owner, const Stmt* stmt) {
  if (!stmt) return false;
  if (const CXXMemberCallExpr* call = call_on(owner, stmt))
    return method_name(call) == "release" || method_name(call) == "swap";
  if (isa<CallExpr, CXXConstructExpr, ReturnStmt>(stmt) && !isa<CXXOperatorCallExpr>(stmt)) {
    for (const Stmt* child : stmt->children())
      if (names(dyn_cast_or_null<Expr>(child), owner)) return true;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return given_away(owner, child); });
}

bool begins_empty(const VarDecl* owner) {
  const auto* made = owner->getInit() ? dyn_cast<CXXConstructExpr>(strip(owner->getInit())) : nullptr;
  if (!made || made->getNumArgs() == 0) return true;
  const Expr* held = strip(made->getArg(0));
  return isa<CXXNullPtrLiteralExpr, GNUNullExpr>(held);
}

bool is_detached(const VarDecl* thread, const Stmt* stmt) {
  if (!stmt) return false;
  if (const CXXMemberCallExpr* call = call_on(thread, stmt); call && method_name(call) == "detach") return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return is_detached(thread, child); });
}

// std::jthread, and containers of them: their destructors wait for the threads.
bool joins_at_end(QualType type) {
  type = type.getCanonicalType();
  const QualType held = is_container(type) ? type_argument(type->getAsCXXRecordDecl(), 0) : type;
  const auto* record = held.isNull() ? nullptr : held->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record_name(held) == "jthread";
}

// The variable that the statement declares, if it declares just that one and the block's end ends its life.
const VarDecl* local_variable(const Stmt* stmt) {
  const auto* declaration = dyn_cast<DeclStmt>(stmt);
  const auto* variable =
      declaration && declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

const Expr* strip_address(const Expr* expr) {
  expr = strip(expr);
  const auto* unary = dyn_cast<UnaryOperator>(expr);
  return unary && unary->getOpcode() == UO_AddrOf ? strip(unary->getSubExpr()) : expr;
}

}  // namespace

// The destructor call at the end of a variable, recorded where the variable is declared.
Event FunctionWalker::end_of(const VarDecl* variable) const {
  Event event;
  event.kind = Event::Kind::kCall;
  event.region = region_;
  event.place = place_of(variable->getSourceRange(), context_);
  event.text = source_text(variable->getSourceRange(), context_);
  event.into = node_of(variable);
  return event;
}

// Destructors of the project's own types: that of a scoped timer or guard may wait.
void FunctionWalker::end_block(const CompoundStmt* block) {
  const VarDecl* ending = nullptr;
  List<FieldValue> left;  // known fields of the variable that is ending: the same for its class and its bases
  for (const EndOfLife& end : ends_of_life(block)) {
    if (!project_.contains(end.destructor->getLocation(), context_.getSourceManager())) continue;
    if (moves_away(end.variable, block)) continue;
    Event event = end_of(end.variable);
    event.callee.id = usr_of(end.destructor);
    event.callee.name = api_name(end.destructor);
    event.object.kind = Value::Kind::kObject;
    event.object.node = node_of(end.variable);
    event.object.memory = MemoryKind::kPageable;
    if (ending != end.variable) left = fields_left_in(end.variable, block, context_);
    ending = end.variable;
    event.left = left;
    push(std::move(event), nullptr);
  }
  end_of_owners(block);
  end_of_containers(block);
  end_of_threads(block);
}

void FunctionWalker::end_of_threads(const CompoundStmt* block) {
  for (const Stmt* stmt : block->body()) {
    const VarDecl* threads = local_variable(stmt);
    if (!threads || threads->getType()->isDependentType() || !joins_at_end(threads->getType()) ||
        moves_away(threads, block) || is_detached(threads, block))
      continue;
    Event event = end_of(threads);
    event.callee.id = event.callee.name = "std::jthread::join";
    event.callee.harmless = true;
    event.object.kind = Value::Kind::kObject;
    event.object.node = node_of(threads);
    push(std::move(event), nullptr);
  }
}

// std::vector<float, Pinned<float>>: its allocator frees the elements, if it has been given any.
void FunctionWalker::end_of_containers(const CompoundStmt* block) {
  for (const Stmt* stmt : block->body()) {
    const VarDecl* container = local_variable(stmt);
    const CXXConstructExpr* made = container ? construction_of(container) : nullptr;
    if (!made || (!makes_elements(made) && !given_room_.contains(container))) continue;
    if (moves_away(container, block)) continue;
    call_allocator(allocator_methods(container->getType()).deallocate, end_of(container));
  }
}

// std::unique_ptr<T, Wait>: its deleter runs at the end of the block, unless ownership was given away.
void FunctionWalker::end_of_owners(const CompoundStmt* block) {
  for (const Stmt* stmt : block->body()) {
    const VarDecl* owner = local_variable(stmt);
    if (!owner) continue;
    const Deleter deleter = deleter_of(owner);
    // Foreign deleters are not read, except those in the tables: cudaFree.
    const auto* named = deleter.given ? dyn_cast<DeclRefExpr>(strip_address(deleter.given)) : nullptr;
    const auto* function = named ? dyn_cast<FunctionDecl>(named->getDecl()) : deleter.by_type;
    const ApiFact* api = function ? fact_of(function, apis_) : nullptr;
    if (function && !api && !project_.contains(function->getLocation(), context_.getSourceManager())) continue;
    if ((!deleter.by_type && !deleter.given) || given_away(owner, block)) continue;
    if (api && begins_empty(owner)) continue;
    Event event = end_of(owner);
    event.callee.name = "the deleter of '" + owner->getNameAsString() + "'";
    if (api) {
      event.kind = Event::Kind::kApi;
      event.callee.id = event.callee.name = api->name;
    } else if (deleter.by_type) {
      event.callee.id = usr_of(deleter.by_type);
    } else {
      event.callee.indirect = true;
      event.object = values_.value_of(deleter.given);
    }
    push(std::move(event), nullptr);
  }
}

}  // namespace syncsniff::facts
