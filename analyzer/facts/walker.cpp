#include "analyzer/facts/walker.h"

#include <clang/AST/Attr.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/conditions.h"
#include "analyzer/facts/evaluation.h"
#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

SourceRange head_of(const Stmt* stmt, const Stmt* body) {
  // `for (...)`: from the keyword to just before the body.
  if (!body || body->getBeginLoc().isInvalid()) return stmt->getSourceRange();
  SourceLocation end = stmt->getBeginLoc();
  if (const auto* f = dyn_cast<ForStmt>(stmt)) end = f->getRParenLoc();
  if (const auto* w = dyn_cast<WhileStmt>(stmt)) end = w->getRParenLoc();
  if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) end = r->getRParenLoc();
  if (const auto* i = dyn_cast<IfStmt>(stmt)) end = i->getRParenLoc();
  return {stmt->getBeginLoc(), end};
}

// `for (...) { ...; return x; }`: written as a loop, runs its body once at most.
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

// InferenceMode, or a NoGradGuard before a loop: validation. A NoGradGuard alone also stands in optimizers and helpers.
bool is_inference_guard(const VarDecl* var, const CompoundStmt* block) {
  const auto* record = var->getType().getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return false;
  if (record->getName() == "InferenceMode") return true;
  if (record->getName() != "NoGradGuard" || !block) return false;
  const auto* function = dyn_cast_or_null<FunctionDecl>(var->getParentFunctionOrMethod());
  const std::string name = function ? function->getDeclName().getAsString() : "";
  for (const char* updating : {"step", "update", "optim", "zero", "clip", "grad"}) {
    if (name.find(updating) != std::string::npos) return false;
  }
  for (const Stmt* stmt : block->body()) {
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt>(stmt)) return true;
  }
  return false;
}

bool holds_jump_to(const Stmt* stmt, const LabelDecl* label) {
  if (!stmt || isa<LambdaExpr>(stmt)) return false;
  if (const auto* jump = dyn_cast<GotoStmt>(stmt)) return jump->getLabel() == label;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return holds_jump_to(child, label); });
}

bool only_in_this_program(const FunctionDecl* decl) {
  if (!decl->isExternallyVisible()) return true;
  const auto* method = dyn_cast<CXXMethodDecl>(decl);
  return method && method->getParent()->isLambda();
}

}  // namespace

void FunctionWalker::walk(const FunctionDecl* decl, const std::string& owner) {
  decl_ = decl;
  runs_ = run_ = position_ = 0;
  function_ = static_cast<int>(unit_.functions.size());
  unit_.functions.emplace_back();
  Function& f = function();
  f.usr = usr_of(decl);
  f.name = api_name(decl);
  if (const auto* method = dyn_cast<CXXMethodDecl>(decl); method && method->getParent()->isLambda()) {
    const Place at = place_of(method->getParent()->getSourceRange(), context_);
    f.name = "lambda on line " + std::to_string(at.line);
  }
  f.owner = owner;
  f.place = place_of(decl->getNameInfo().getSourceRange(), context_);
  f.is_main = decl->isMain();
  f.is_kernel = decl->hasAttr<CUDAGlobalAttr>();
  f.is_static_or_local = only_in_this_program(decl);
  for (const ParmVarDecl* param : decl->parameters()) {
    f.params.push_back(node_of(param));
    f.param_is_pointer.push_back(is_pointer_like(param->getType()));
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(decl)) {
    if (!method->isStatic()) values_.set_this(this_node_of(method));
    for (const CXXMethodDecl* base : method->overridden_methods()) f.overrides.push_back(usr_of(base));
  }
  Region root;
  root.place = f.place;
  root.whole = place_of(decl->getSourceRange(), context_);
  f.regions.push_back(root);
  if (f.is_kernel) return;
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(decl)) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      if (!init->getInit()) continue;
      expression(init->getInit());
      if (init->isAnyMemberInitializer()) {
        if (is_container(init->getAnyMember()->getType()))
          keep_callables_in(node_of(init->getAnyMember()), init->getInit());
        flow(node_of(init->getAnyMember()), bound_value(init->getInit(), init->getAnyMember()->getType()),
             init->getSourceRange());
      }
    }
  }
  statement(decl->getBody());
  no_answer();
}

int FunctionWalker::enter(Region::Kind kind, SourceRange head, SourceRange whole, Guard guard) {
  Region region;
  region.kind = kind;
  region.parent = region_;
  region.gate = guard.gate;
  region.period = guard.period;
  region.once_in = guard.once_in;
  region.question = guard.question;
  region.place = place_of(head, context_);
  region.whole = place_of(whole, context_);
  region.text = source_text(head, context_, 80);
  function().regions.push_back(std::move(region));
  region_ = static_cast<int>(function().regions.size()) - 1;
  return region_;
}

void FunctionWalker::statement(const Stmt* stmt) {
  if (!stmt) return;
  if (const auto* block = dyn_cast<CompoundStmt>(stmt)) {
    const int outer = region_;
    const CompoundStmt* outer_block = block_;
    if (!plain_statement_) run_ = 0;
    const Stmt* before = nullptr;
    EvaluationMode mode(block, !loops_.empty());
    for (const Stmt* child : block->body()) {
      block_ = block;
      if (const auto* label = dyn_cast<LabelStmt>(child)) jump_back_to(label, block);
      const bool evaluates = mode.covers(child);
      if (evaluates)
        enter(Region::Kind::kBranch, child->getBeginLoc(), child->getSourceRange(), gated(Gate::kValidation));
      in_run(before, child);
      if (evaluates) leave();
      mode.pass(child);
      before = child;
      after_early_exit(child, block);
      leave_jumps(child);
    }
    block_ = outer_block;
    region_ = outer;  // an inference guard opened a region that ends with its block
    return end_block(block);
  }
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt)) return loop(stmt);
  if (const auto* s = dyn_cast<IfStmt>(stmt)) return if_statement(s);
  if (const auto* s = dyn_cast<ReturnStmt>(stmt)) return returned(s);
  if (const auto* s = dyn_cast<DeclStmt>(stmt)) {
    for (const Decl* d : s->decls()) {
      if (const auto* var = dyn_cast<VarDecl>(d)) declaration(var);
    }
    return;
  }
  if (const auto* s = dyn_cast<SwitchStmt>(stmt)) {
    expression(s->getCond());
    enter(Region::Kind::kBranch, s->getCond()->getSourceRange(), s->getSourceRange(), classify_switch(s, context_));
    statement(s->getBody());
    return leave();
  }
  if (const auto* s = dyn_cast<CXXTryStmt>(stmt)) {
    statement(s->getTryBlock());
    for (unsigned i = 0; i < s->getNumHandlers(); ++i) {
      const CXXCatchStmt* handler = s->getHandler(i);
      enter(Region::Kind::kBranch, handler->getSourceRange(), handler->getSourceRange(), gated(Gate::kError));
      statement(handler->getHandlerBlock());
      leave();
    }
    return;
  }
  if (const auto* expr = dyn_cast<Expr>(stmt)) return expression(expr);
  function().has_labels |= isa<LabelStmt>(stmt);
  for (const Stmt* child : stmt->children()) statement(child);
}

void FunctionWalker::in_run(const Stmt* before, const Stmt* child) {
  const bool is_plain = !plain_statement_ && plain_.is_plain(child) && !plain_.has_directive(nullptr, child);
  if (is_plain) {
    if (run_ == 0 || plain_.has_directive(before, child)) run_ = ++runs_, position_ = 0;
    ++position_;
    plain_statement_ = child;
  }
  isa<CompoundStmt>(child) ? scoped(child) : statement(child);
  if (is_plain)
    plain_statement_ = nullptr;
  else if (!plain_statement_)
    run_ = 0;
}

// `if (step % n) return;`: what follows in the block is gated as if it stood in an else.
void FunctionWalker::after_early_exit(const Stmt* stmt, const CompoundStmt* block) {
  const auto* test = dyn_cast<IfStmt>(stmt);
  if (!test || test->getElse() || !test->getThen()) return;
  const Stmt* last = test->getThen();
  if (const auto* inner = dyn_cast<CompoundStmt>(last)) last = inner->body_empty() ? nullptr : inner->body_back();
  if (!isa_and_nonnull<ReturnStmt, ContinueStmt>(last)) return;
  Guard guard = classify_rest(test->getCond(), block, loops_around(), context_);
  if (guard.gate == Gate::kNone) guard = rarity_.of(test->getCond(), false, block, test, decl_, loops_around());
  if (guard.gate == Gate::kNone && !guard.question.open()) return;
  enter(Region::Kind::kBranch, test->getCond()->getSourceRange(), block->getSourceRange(), guard);
  function().regions[region_].condition = "not " + source_text(test->getCond()->getSourceRange(), context_, 80);
}

void FunctionWalker::scoped(const Stmt* stmt) {
  enter(Region::Kind::kBranch, stmt->getSourceRange(), stmt->getSourceRange(), {});
  function().regions[region_].bare = true;
  statement(stmt);
  leave();
}

void FunctionWalker::loop(const Stmt* stmt) {
  const Stmt* body = body_of_loop(stmt);
  if (runs_once(stmt, context_)) return statement(body);
  LoopScan scan = scan_loop(stmt, context_);
  if (const auto* f = dyn_cast<ForStmt>(stmt)) statement(f->getInit());
  if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) {
    statement(r->getInit());
    if (r->getRangeInit()) expression(r->getRangeInit());
    // What the loop variable holds is an element of the range.
    if (is_pointer_like(r->getLoopVariable()->getType()) && r->getRangeInit()) {
      Value value;
      value.kind = Value::Kind::kContent;
      value.operands.push_back(values_.value_of(r->getRangeInit()));
      value.node = values_.assigned_node(r->getRangeInit());
      flow(node_of(r->getLoopVariable()), value, r->getLoopVariable()->getSourceRange());
    }
  }
  const Region::Kind kind = always_leaves(body) ? Region::Kind::kBranch : Region::Kind::kLoop;
  const int region = enter(kind, head_of(stmt, body), stmt->getSourceRange(), {});
  Region& here = function().regions[region];
  here.forever = scan.forever;
  here.collection = scan.collection;
  here.over_tensors = scan.over_tensors;
  here.carries_pointer = scan.carries_pointer;
  here.neighbour_index = scan.neighbour_index;
  here.unit_step = scan.unit_step;
  here.trips = scan.trips;
  if (const auto* w = dyn_cast<WhileStmt>(stmt)) here.deeper_than = count_above(w->getCond(), true, context_);
  loops_.push_back({region, stmt, std::move(scan)});
  if (const auto* f = dyn_cast<ForStmt>(stmt)) {
    if (f->getCond()) expression(f->getCond());
    statement(body);
    if (f->getInc()) expression(f->getInc());
  } else {
    if (const auto* w = dyn_cast<WhileStmt>(stmt)) expression(w->getCond());
    if (const auto* r = dyn_cast<CXXForRangeStmt>(stmt)) own_iterator(r);
    statement(body);
    if (const auto* d = dyn_cast<DoStmt>(stmt)) expression(d->getCond());
  }
  loops_.pop_back();
  leave();
}

// The project's own iterator may do work when it is asked for an element or goes on.
void FunctionWalker::own_iterator(const CXXForRangeStmt* loop) {
  const auto walk = [&](const Expr* expr) {
    const auto* call = expr ? dyn_cast<CXXOperatorCallExpr>(strip(expr)) : nullptr;
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (callee && project_.contains(callee->getLocation(), context_.getSourceManager())) expression(expr);
  };
  walk(loop->getLoopVariable()->getInit());
  walk(loop->getInc());
  walk(loop->getCond());
}

std::vector<LoopAround> FunctionWalker::loops_around() const {
  std::vector<LoopAround> out;
  for (const OpenLoop& open : loops_) out.push_back({open.region, open.stmt, &open.scan.induction, open.scan.trips});
  return out;
}

Guard FunctionWalker::guard_of(const Expr* condition, bool taken, const Stmt* body) const {
  Guard guard = classify_guard(condition, taken, body, loops_around(), context_);
  if (guard.gate == Gate::kNone) guard = rarity_.of(condition, taken, body, nullptr, decl_, loops_around());
  if (guard.gate == Gate::kNone && !loops_.empty() && leaves_loop(body)) guard.gate = Gate::kOnce;
  return guard;
}

void FunctionWalker::branch(const Stmt* body, const Expr* condition, bool taken, const Stmt* head) {
  if (!body) return;
  enter(Region::Kind::kBranch, head ? head_of(head, body) : condition->getSourceRange(), body->getSourceRange(),
        guard_of(condition, taken, body));
  function().regions[region_].condition =
      (taken ? "" : "not ") + source_text(condition->getSourceRange(), context_, 80);
  function().regions[region_].deeper_than = count_above(condition, taken, context_);
  statement(body);
  leave();
}

void FunctionWalker::if_statement(const IfStmt* stmt) {
  statement(stmt->getInit());
  if (const DeclStmt* variable = stmt->getConditionVariableDeclStmt()) statement(variable);
  expression(stmt->getCond());
  branch(stmt->getThen(), stmt->getCond(), true, stmt);
  branch(stmt->getElse(), stmt->getCond(), false, stmt);
}

// again: ...; if (more) goto again;
void FunctionWalker::jump_back_to(const LabelStmt* label, const CompoundStmt* block) {
  const Stmt* last = nullptr;
  bool after = false;
  for (const Stmt* child : block->body()) {
    after |= child == label;
    if (after && holds_jump_to(child, label->getDecl())) last = child;
  }
  if (!last) return;
  enter(Region::Kind::kLoop, label->getIdentLoc(), SourceRange(label->getBeginLoc(), last->getEndLoc()), {});
  jumps_.push_back({region_, last});
}

// What follows the jump is no part of the loop, unless a gate that an early exit opened inside still stands.
void FunctionWalker::leave_jumps(const Stmt* child) {
  while (!jumps_.empty() && jumps_.back().last == child) {
    region_ = function().regions[jumps_.back().region].parent;
    jumps_.pop_back();
  }
}

void FunctionWalker::declaration(const VarDecl* var) {
  if (is_inference_guard(var, block_)) {
    enter(Region::Kind::kBranch, var->getSourceRange(), var->getSourceRange(), gated(Gate::kValidation));
  }
  if (!var->getInit()) return;
  expression(var->getInit());
  const QualType type = var->getType();
  if (is_container(type)) keep_callables_in(node_of(var), var->getInit());
  if (type->isReferenceType() || is_pointer_like(type)) {
    flow(node_of(var), bound_value(var->getInit(), type), var->getSourceRange());
    // T* a[] = {x, y}: what stands in it.
    const auto* list = type->isArrayType() ? dyn_cast<InitListExpr>(strip(var->getInit())) : nullptr;
    for (unsigned i = 0; list && i < list->getNumInits(); ++i) {
      flow("*" + node_of(var), values_.value_of(list->getInit(i)), var->getSourceRange());
    }
  }
}

void FunctionWalker::returned(const ReturnStmt* stmt) {
  if (!stmt->getRetValue()) return;
  expression(stmt->getRetValue());
  answer(stmt->getRetValue());
  Event event = start_event(Event::Kind::kReturn, stmt->getRetValue());
  if (is_pointer_like(stmt->getRetValue()->getType())) {
    Value value = bound_value(stmt->getRetValue(), decl_->getReturnType());
    flow(return_node_of(decl_), value, stmt->getSourceRange());
  }
  push(std::move(event), nullptr);
}

}  // namespace syncsniff::facts
