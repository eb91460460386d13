// Loops -> regions, and the loops around a statement, including those that goto makes.
#include "analyzer/facts/callables.h"
#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/coroutines.h"
#include "analyzer/facts/ending_flags.h"
#include "analyzer/facts/loaders.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/schedules.h"
#include "analyzer/facts/trip_counts.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// `for (...) { ...; return x; }`: a loop whose body runs once at most.
bool always_leaves(const Stmt* body) {
  const auto* block = dyn_cast_or_null<CompoundStmt>(body);
  if (!block || block->body_empty() || !isa<ReturnStmt, BreakStmt>(block->body_back())) return false;
  std::vector<const Stmt*> open(block->body_begin(), block->body_end());
  while (!open.empty()) {
    const Stmt* stmt = open.back();
    open.pop_back();
    if (!stmt || isa<LambdaExpr>(stmt)) continue;
    if (isa<ContinueStmt>(stmt)) return false;
    open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return true;
}

void for_each_jump(const Stmt* stmt, llvm::function_ref<void(const LabelDecl*)> visit) {
  if (!stmt || isa<LambdaExpr>(stmt)) return;
  if (const auto* jump = dyn_cast<GotoStmt>(stmt)) visit(jump->getLabel());
  for (const Stmt* child : stmt->children()) for_each_jump(child, visit);
}

void describe(Region& region, const LoopScan& scan) {
  region.forever = scan.forever;
  region.collection = scan.collection;
  region.over_tensors = scan.over_tensors;
  region.over_dimension = scan.over_dimension;
  region.carries_value = scan.carries_value;
  region.neighbour_index = scan.neighbour_index;
  region.unit_step = scan.unit_step;
  region.trips = scan.trips;
  region.multiplies = scan.multiplies;
}

bool has_lambda(const Stmt* stmt) {
  bool found = false;
  for_each_stmt(stmt, [&](const Stmt* each) { found |= isa<LambdaExpr>(each); });
  return found;
}

void note_varying(Region& region, const LoopScan& scan, const Stmt* loop) {
  if (!has_lambda(loop)) return;
  std::set<std::string> nodes;
  for (const Decl* decl : scan.varying)
    if (const auto* variable = dyn_cast<VarDecl>(decl)) nodes.insert(node_of(variable));
  // The element of a range is what the range's own iterator points to.
  if (const auto* range = dyn_cast<CXXForRangeStmt>(loop); range && range->getBeginStmt())
    for (const Decl* begin : range->getBeginStmt()->decls()) nodes.insert(node_of(cast<VarDecl>(begin)));
  region.varying.assign(nodes.begin(), nodes.end());
}

// The function that calling this expression would run, if its body was read: for a lambda, written here or stored in a
// variable, for a function's name, and for an object with a call operator.
const FunctionDecl* function_named(const Expr* expr) {
  expr = strip(expr);
  if (const auto* copy = dyn_cast<CXXConstructExpr>(expr); copy && copy->getNumArgs() == 1)
    expr = strip(copy->getArg(0));
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  if (const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      variable && variable->getInit())
    expr = strip(variable->getInit());
  if (const auto* lambda = dyn_cast<LambdaExpr>(expr)) {
    const auto bodies = bodies_of(lambda);
    return bodies.size() == 1 ? bodies.front() : nullptr;
  }
  if (const auto* function = reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr)
    return function->getDefinition();
  const auto* record = expr->getType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return nullptr;
  const auto found = record->lookup(record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call));
  const auto* method = found.isSingleResult() ? dyn_cast<CXXMethodDecl>(found.front()) : nullptr;
  return method ? method->getDefinition() : nullptr;
}

}  // namespace

SourceRange head_of(const Stmt* stmt, const Stmt* body) {
  if (!body || body->getBeginLoc().isInvalid()) return stmt->getSourceRange();
  SourceLocation end = stmt->getBeginLoc();
  if (const auto* f = dyn_cast<ForStmt>(stmt)) end = f->getRParenLoc();
  if (const auto* w = dyn_cast<WhileStmt>(stmt)) end = w->getRParenLoc();
  if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) end = r->getRParenLoc();
  if (const auto* i = dyn_cast<IfStmt>(stmt)) end = i->getRParenLoc();
  return {stmt->getBeginLoc(), end};
}

void FunctionWalker::loop(const Stmt* stmt) {
  const Stmt* body = body_of_loop(stmt);
  if (runs_once(stmt, context_)) return statement(body);
  LoopScan scan = scan_loop(stmt, context_, writes_);
  if (const auto* f = dyn_cast<ForStmt>(stmt)) statement(f->getInit());
  if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) {
    statement(r->getInit());
    if (r->getRangeInit()) expression(r->getRangeInit());
    // The loop variable holds an element of the range.
    if (may_hold_pointer(r->getLoopVariable()->getType()) && r->getRangeInit()) {
      Value value;
      value.kind = Value::Kind::kContent;
      value.operands.push_back(values_.value_of(r->getRangeInit()));
      value.node = values_.assigned_node(r->getRangeInit());
      flow(node_of(r->getLoopVariable()), value, r->getLoopVariable()->getSourceRange());
      note_referred(r->getLoopVariable(), value);
    }
  }
  const Region::Kind kind = always_leaves(body) ? Region::Kind::kBranch : Region::Kind::kLoop;
  const Expr* goes_on = condition_of_loop(stmt);
  const bool scheduled = goes_on && works_off_schedule(goes_on, true, body);
  const Gate gate = never_begins(stmt, context_) ? Gate::kNever : scheduled ? Gate::kModulo : Gate::kNone;
  const int region = enter(kind, head_of(stmt, body), stmt->getSourceRange(), gated(gate));
  Region& here = function().regions[region];
  describe(here, scan);
  note_varying(here, scan, stmt);
  here.ends_if = flags_that_end(stmt, context_);
  if (const auto* d = dyn_cast<DoStmt>(stmt))
    here.text = "do ... while (" + quoted_text(d->getCond()->getSourceRange(), context_, 80) + ")";
  if (const auto* w = dyn_cast<WhileStmt>(stmt)) here.deeper_than = count_above(w->getCond(), true, context_);
  loops_.push_back({region, stmt, std::move(scan)});
  tests_.push_back({goes_on, true});
  if (const auto* f = dyn_cast<ForStmt>(stmt)) {
    if (f->getCond()) expression(f->getCond());
    statement(body);
    if (f->getInc()) expression(f->getInc());
  } else {
    if (const auto* w = dyn_cast<WhileStmt>(stmt)) expression(w->getCond());
    if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) {
      own_iterator(r);
      call_of_view(r->getRangeInit());
      element_of(r);
    }
    statement(body);
    if (const auto* d = dyn_cast<DoStmt>(stmt)) expression(d->getCond());
  }
  // After the body, which may assign to what the condition reads.
  if (const Expr* condition = condition_of_loop(stmt)) function().regions[region].asks = computed_from(condition);
  tests_.pop_back();
  loops_.pop_back();
  leave();
}

// std::for_each(tensors.begin(), tensors.end(), [&](Tensor& t) { ... }): the function called for each element is the
// loop's body. `alone`: it is called with the element alone, and its results are not combined.
void FunctionWalker::for_each_element(Event& event, const CallExpr* call, bool alone) {
  const FunctionDecl* each = nullptr;
  for (const Expr* argument : call->arguments()) {
    if (const FunctionDecl* given = function_named(argument)) each = given;
  }
  if (!each || !each->getBody() || each->getNumParams() == 0) return;
  event.loops.index_args.push_back(0);
  event.loops.index_args.push_back(event.region);
  if (!alone || each->getNumParams() != 1) return;
  LoopScan scan = scan_of_elements(each, context_);
  const unsigned first = isa<CXXOperatorCallExpr>(call) ? 1 : 0;  // std::ranges::for_each is an object
  const Expr* from = strip(call->getArg(first));
  if (const auto* begin = dyn_cast<CXXMemberCallExpr>(from)) from = strip(begin->getImplicitObjectArgument());
  scan.collection = source_text(from->getSourceRange(), context_, 80);
  describe(function().regions[event.region], scan);
  const QualType element = each->getParamDecl(0)->getType().getNonReferenceType();
  if (may_hold_pointer(element)) event.loops.varies_with.push_back(event.region);
}

// The project's own iterator may do work when it is dereferenced or advanced.
void FunctionWalker::own_iterator(const CXXForRangeStmt* loop) {
  if (std::string coroutine = resumed_by(loop); !coroutine.empty()) {
    Event event = start_event(Event::Kind::kCall, loop->getRangeInit());
    event.callee.id = coroutine;
    event.callee.name = "std::generator";
    event.callee.is_virtual = event.callee.harmless = true;
    push(std::move(event), nullptr);
  }
  const auto walk = [&](const Expr* expr) {
    const auto* call = expr ? dyn_cast<CXXOperatorCallExpr>(strip(expr)) : nullptr;
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (callee && project_.contains(callee->getLocation(), context_.getSourceManager())) expression(expr);
  };
  walk(loop->getLoopVariable()->getInit());
  walk(loop->getInc());
  walk(loop->getCond());
  const Expr* element = strip(loop->getLoopVariable()->getInit());
  if (element && is_span(loop->getRangeInit()->getType())) host_read(loop->getRangeInit(), element);
  // float* begin() { return memory_; }: the host reads each element, or binds it to a reference to be written.
  const auto* begins = loop->getBeginStmt() ? dyn_cast<VarDecl>(loop->getBeginStmt()->getSingleDecl()) : nullptr;
  const auto* begin = begins && begins->getInit() ? dyn_cast<CXXMemberCallExpr>(strip(begins->getInit())) : nullptr;
  const CXXMethodDecl* method = begin && begin->getType()->isPointerType() ? begin->getMethodDecl() : nullptr;
  if (!method || !project_.contains(method->getLocation(), context_.getSourceManager())) return;
  expression(begin);
  host_read(begin, strip(loop->getLoopVariable()->getInit()));
}

// for (float* batch : data | std::views::transform(upload)): upload() runs for each element. for (auto& batch :
// *loader): so does get() of the loader's data set.
void FunctionWalker::call_of_view(const Expr* view) {
  if (!view) return;
  std::vector<const FunctionDecl*> bodies = bodies_of_view(view->getType(), context_);
  if (bodies.empty()) bodies = makers_on_gpu(view, context_);
  for (const FunctionDecl* body : bodies) {
    Event event = start_event(Event::Kind::kCall, view);
    event.callee.id = usr_of(body);
    event.callee.name = api_name(body);
    push(std::move(event), view);
  }
}

// for (auto& frame : frames): `frame` is one of the elements put into `frames`.
void FunctionWalker::element_of(const CXXForRangeStmt* loop) {
  const VarDecl* element = loop->getLoopVariable();
  const QualType type = element->getType().getNonReferenceType();
  if (!is_tensor(type) && !type->isPointerType()) return;
  Value value;
  value.kind = Value::Kind::kContent;
  value.node = values_.assigned_node(loop->getRangeInit());
  if (Value list = values_.value_of(loop->getRangeInit()); list.kind == Value::Kind::kElement)
    value.operands.push_back(std::move(list));  // for (auto& image : data.first)
  if (!value.node.empty()) flow(node_of(element), std::move(value), element->getSourceRange());
}

std::vector<LoopAround> FunctionWalker::loops_around() const {
  std::vector<LoopAround> out;
  for (const OpenLoop& open : loops_) out.push_back({open.region, open.stmt, &open.scan.induction, open.scan.trips});
  return out;
}

// One pass over the block for all of its labels.
const FunctionWalker::LabelUses& FunctionWalker::label_uses(const CompoundStmt* block) {
  const auto [known, fresh] = label_uses_.try_emplace(block);
  LabelUses& uses = known->second;
  size_t number = 0;
  if (!fresh) return uses;
  for (const Stmt* child : block->body()) {
    if (const auto* label = dyn_cast<LabelStmt>(child)) uses[label->getDecl()].stands = number;
    for_each_jump(child, [&](const LabelDecl* to) {
      uses[to].last_jump = number;
      uses[to].has_jump = true;
    });
    ++number;
  }
  return uses;
}

// again: ...; if (more) goto again;
void FunctionWalker::jump_back_to(const LabelStmt* label, const CompoundStmt* block) {
  const LabelUse& use = label_uses(block).at(label->getDecl());
  if (!use.has_jump || use.last_jump < use.stands) return;
  const Stmt* last = block->body_begin()[use.last_jump];
  enter(Region::Kind::kLoop, label->getIdentLoc(), SourceRange(label->getBeginLoc(), last->getEndLoc()), {});
  jumps_.push_back({region_, last});
}

// Statements after the jump are outside of the loop, unless a gate opened by an early exit inside the loop is still
// open.
void FunctionWalker::leave_jumps(const Stmt* child) {
  while (!jumps_.empty() && jumps_.back().last == child) {
    region_ = function().regions[jumps_.back().region].parent;
    jumps_.pop_back();
  }
}

}  // namespace syncsniff::facts
