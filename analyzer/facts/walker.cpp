#include "analyzer/facts/walker.h"

#include <clang/AST/Attr.h>

#include <algorithm>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/coroutines.h"
#include "analyzer/facts/evaluation.h"
#include "analyzer/facts/hidden_calls.h"
#include "analyzer/facts/kernel_bodies.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/parameter_tests.h"
#include "analyzer/facts/replacements.h"
#include "analyzer/facts/states.h"
#include "analyzer/facts/tensor_calls.h"
#include "rules/source_names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool only_in_this_program(const FunctionDecl* decl) {
  if (!decl->isExternallyVisible() || is_autograd_pass(decl)) return true;
  const auto* method = dyn_cast<CXXMethodDecl>(decl);
  return method && method->getParent()->isLambda();
}

// Whether no other unit can name the class. Excluded are virtual methods, which are called through a base, and
// templates, whose instances are not all visible.
bool names_class_of_source(const CXXMethodDecl* method, const ASTContext& context) {
  const CXXRecordDecl* whole = method->getParent()->getDefinition();
  if (!whole || method->isVirtual() || isa<ClassTemplateSpecializationDecl>(whole) || whole->isDependentContext())
    return false;
  // A library that is given an object, such as std::visit(), calls its operators.
  if (method->isOverloadedOperator() || isa<CXXConversionDecl, CXXConstructorDecl, CXXDestructorDecl>(method))
    return false;
  const auto file = context.getSourceManager().getFileEntryRefForID(context.getSourceManager().getMainFileID());
  if (!file || is_header(file_kind(file->getName().str()))) return false;
  return context.getSourceManager().isInMainFile(whole->getLocation());
}

// For A <- B <- C adds both A's and B's method, since B's own body may be in a unit that is not read.
void add_overridden(const CXXMethodDecl* method, std::vector<Text>& out) {
  for (const CXXMethodDecl* base : method->overridden_methods()) {
    std::string usr = usr_of(base);
    if (std::find(out.begin(), out.end(), usr) != out.end()) continue;
    out.push_back(std::move(usr));
    add_overridden(base, out);
  }
}

// Whether execution may enter the statement by a jump.
bool holds_label(const Stmt* stmt) {
  if (!stmt) return false;
  if (isa<LabelStmt, SwitchCase>(stmt)) return true;
  return !isa<Expr>(stmt) && llvm::any_of(stmt->children(), holds_label);
}

// Whether control never reaches the statement after the branch.
bool leaves(const Stmt* body) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(body)) return block->size() != 0 && leaves(block->body_back());
  if (isa_and_nonnull<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(body)) return true;
  if (const auto* attributed = dyn_cast_or_null<AttributedStmt>(body)) return leaves(attributed->getSubStmt());
  if (const auto* test = dyn_cast_or_null<IfStmt>(body)) return leaves(test->getThen()) && leaves(test->getElse());
  const auto* expr = dyn_cast_or_null<Expr>(body);
  if (!expr) return false;
  const auto* call = dyn_cast<CallExpr>(strip(expr));
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return isa<CXXThrowExpr>(strip(expr)) || (callee && callee->isNoReturn());
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
  f.is_adopted = project_.is_adopted(decl->getLocation(), context_.getSourceManager());
  f.is_kernel = decl->hasAttr<CUDAGlobalAttr>();
  f.is_static_or_local = only_in_this_program(decl);
  for (const ParmVarDecl* param : decl->parameters()) {
    f.params.push_back(node_of(param));
    f.param_is_pointer.push_back(may_hold_pointer(param->getType()));
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(decl)) {
    if (!method->isStatic()) values_.set_this(this_node_of(method));
    add_overridden(method, f.overrides);
    f.class_is_in_source = names_class_of_source(method, context_);
  }
  Region root;
  root.place = f.place;
  root.whole = place_of(decl->getSourceRange(), context_);
  f.regions.push_back(root);
  if (f.is_kernel) {
    f.kernel = read_kernel(decl, context_, project_);
    return;
  }
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(decl)) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      if (!init->getInit()) continue;
      expression(init->getInit());
      if (init->isAnyMemberInitializer()) {
        name_result(init->getInit(), node_of(init->getAnyMember()));
        if (is_container(init->getAnyMember()->getType()))
          keep_callables_in(node_of(init->getAnyMember()), init->getInit());
        flow(node_of(init->getAnyMember()), bound_value(init->getInit(), init->getAnyMember()->getType()),
             init->getSourceRange());
      }
    }
  }
  statement(decl->getBody());
  no_answer();
  read_states(decl, {context_, apis_, writes_, values_}, function());
}

int FunctionWalker::enter(Region::Kind kind, SourceRange head, SourceRange whole, Guard guard) {
  Region region;
  region.kind = kind;
  region.parent = region_;
  // if (!gone) { gone = true; free(); } in a destructor: runs once per object, not once.
  const bool is_last = guard.gate == Gate::kLazy && isa_and_nonnull<CXXDestructorDecl>(decl_);
  region.gate = is_last ? Gate::kNone : guard.gate;
  region.period = guard.period;
  region.once_in = guard.once_in;
  region.question = guard.question;
  region.named = std::move(guard.named);
  region.place = place_of(head, context_);
  region.whole = place_of(whole, context_);
  // At the end of a loop's head is what it iterates over, so heads of loops are quoted longer.
  region.text = quoted_text(head, context_, kind == Region::Kind::kLoop ? 160 : 80);
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
    bool never_runs = false;  // after a return and not a jump target
    for (const Stmt* child : block->body()) {
      never_runs = never_runs && !holds_label(child);
      if (never_runs) continue;
      never_runs = leaves(child);
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
    enter(Region::Kind::kBranch, s->getCond()->getSourceRange(), s->getSourceRange(),
          classify_switch(s, writes_, context_));
    function().regions[region_].is_switch = true;
    function().regions[region_].turns_state = assigns(s->getBody(), named_decl(strip(s->getCond())));
    cases(s);
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
  if (const auto* s = dyn_cast<CoroutineBodyStmt>(stmt)) {
    function().resumed_as = resumption_of(s);
    return statement(s->getBody());
  }
  if (const auto* s = dyn_cast<CoreturnStmt>(stmt))
    return expression(s->getPromiseCall() ? s->getPromiseCall() : s->getOperand());
  if (isa<LabelStmt>(stmt)) function().labels.push_back(static_cast<int>(function().events.size()));
  for (const Stmt* child : stmt->children()) statement(child);
}

// case 'q': cudaFree(x); return;: in a loop, it runs once. With exit() at its end, it runs once in the program.
Guard FunctionWalker::guard_of_case(const CompoundStmt* body, const Stmt* label) const {
  const Stmt* last = nullptr;
  for (auto at = std::find(body->body_begin(), body->body_end(), label); at != body->body_end(); ++at) {
    if (isa<SwitchCase>(*at) && *at != label) break;
    last = *at;
    while (const auto* inner = dyn_cast<SwitchCase>(last)) last = inner->getSubStmt();
    if (never_returns(last, loops_.empty() ? 0 : kBodiesRead)) return gated(Gate::kError);
  }
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(last))
    last = block->body_empty() ? nullptr : block->body_back();
  return !loops_.empty() && isa_and_nonnull<ReturnStmt>(last) ? gated(Gate::kOnce) : Guard{};
}

// The statements after each label of a switch, up to the next label, are a region.
void FunctionWalker::cases(const SwitchStmt* stmt) {
  const auto* body = dyn_cast<CompoundStmt>(stmt->getBody());
  if (!body) return statement(stmt->getBody());
  const int around = region_;
  const CompoundStmt* outer_block = block_;
  const Stmt* before = nullptr;
  for (const Stmt* child : body->body()) {
    if (before && leaves(before) && !holds_label(child)) continue;
    block_ = body;
    const Stmt* first = child;
    if (const auto* label = dyn_cast<SwitchCase>(child)) {
      const bool is_one = isa<CaseStmt>(label) && !isa<SwitchCase>(label->getSubStmt());
      for (; label; label = dyn_cast<SwitchCase>(first)) first = label->getSubStmt();
      const bool falls_in = region_ != around && before && !leaves(before);
      region_ = around;
      const Guard guard = guard_of_case(body, child);
      enter(Region::Kind::kBranch, child->getBeginLoc(), child->getSourceRange(), guard);
      function().regions[region_].bare = guard.gate == Gate::kNone;
      if (is_one && !falls_in)
        function().regions[region_].tests =
            parameter_tests(stmt->getCond(), cast<CaseStmt>(child)->getLHS(), decl_, writes_, context_);
    }
    in_run(nullptr, first);
    leave_jumps(child);
    before = first;
  }
  run_ = 0;
  block_ = outer_block;
  region_ = around;
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

// if (!options.validate()) { printf("invalid options"); return; }: output before leaving shows that the input is
// checked, whatever the check is called. A mode that is switched off leaves without output.
bool FunctionWalker::says_why(const Stmt* leaving) const {
  bool says = false;
  for_each_expr(leaving, [&](const Expr* expr) {
    const auto* call = dyn_cast<CallExpr>(expr);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const ApiFact* fact = callee ? fact_of(callee, apis_) : nullptr;
    says |= fact && fact->host_work == "logs";
  });
  return says;
}

// `if (step % n) return;`: the statements after it in the block are gated as if they were in an else branch.
void FunctionWalker::after_early_exit(const Stmt* stmt, const CompoundStmt* block) {
  const auto* test = dyn_cast<IfStmt>(stmt);
  if (!test || test->getElse() || !test->getThen()) return;
  const Stmt* last = test->getThen();
  if (const auto* inner = dyn_cast<CompoundStmt>(last)) last = inner->body_empty() ? nullptr : inner->body_back();
  if (Guard checked = classify_checked(test, block, context_); checked.gate != Gate::kNone) {
    enter(Region::Kind::kBranch, test->getCond()->getSourceRange(), block->getSourceRange(), checked);
    return;
  }
  if (!isa_and_nonnull<ReturnStmt, ContinueStmt>(last)) return;
  Guard guard = classify_rest(test, block, loops_around(), writes_, context_);
  ask_rarity(guard, test->getCond(), false, block, test);
  if (says_why(test->getThen())) guard.named.clear();
  const bool gated = guard.gate != Gate::kNone || guard.question.open();
  const bool named = std::any_of(guard.named.begin(), guard.named.end(), [](const NamedTerm& t) { return t.alone; });
  List<ParameterTests> parameters = parameter_tests(test->getCond(), false, decl_, writes_, context_);
  if (!gated && !named && parameters.empty()) return;
  enter(Region::Kind::kBranch, test->getCond()->getSourceRange(), block->getSourceRange(), guard);
  function().regions[region_].bare = !gated;  // names alone do not make a region of its own
  function().regions[region_].tests = std::move(parameters);
  function().regions[region_].condition = "not " + quoted_text(test->getCond()->getSourceRange(), context_, 80);
}

void FunctionWalker::scoped(const Stmt* stmt) {
  enter(Region::Kind::kBranch, stmt->getSourceRange(), stmt->getSourceRange(), {});
  function().regions[region_].bare = true;
  statement(stmt);
  leave();
}

// If the condition itself does not show a gate, how the code uses its operands may.
void FunctionWalker::ask_rarity(Guard& guard, const Expr* condition, bool taken, const Stmt* body,
                                const Stmt* after) const {
  if (runs_once_at_most() && guard.gate == Gate::kModulo) guard = {};
  if (guard.gate != Gate::kNone) return;
  std::vector<NamedTerm> named = std::move(guard.named);
  guard = rarity_.of(condition, taken, body, after, decl_, loops_around());
  if (runs_once_at_most() && guard.gate == Gate::kModulo) guard = {};
  guard.named = std::move(named);
}

// Outside of loops in main() no number counts iterations: `if (width % 8 != 0) return 1;` checks a size.
bool FunctionWalker::runs_once_at_most() const { return decl_ && decl_->isMain() && loops_.empty(); }

Guard FunctionWalker::guard_of(const Expr* condition, bool taken, const Stmt* body) const {
  Guard guard = classify_guard(condition, taken, body, loops_around(), writes_, apis_, context_);
  ask_rarity(guard, condition, taken, body, nullptr);
  if (guard.gate == Gate::kNone && !loops_.empty() && leaves_loop(body))
    guard.gate = decl_ && decl_->isMain() && returns_failure(body, context_) ? Gate::kError : Gate::kOnce;
  for (auto test = tests_.rbegin(); test != tests_.rend() && guard.gate == Gate::kNone && !guard.question.open();
       ++test) {
    const Guard ending = rarity_.ending(test->condition, test->taken, body, decl_, loops_around());
    guard.gate = ending.gate, guard.once_in = ending.once_in, guard.question = ending.question;
  }
  return guard;
}

void FunctionWalker::branch(const Stmt* body, const Expr* condition, bool taken, const Stmt* head) {
  if (!body) return;
  enter(Region::Kind::kBranch, head ? head_of(head, body) : condition->getSourceRange(), body->getSourceRange(),
        guard_of(condition, taken, body));
  function().regions[region_].condition =
      (taken ? "" : "not ") + quoted_text(condition->getSourceRange(), context_, 80);
  function().regions[region_].deeper_than = count_above(condition, taken, context_);
  function().regions[region_].bare = constant_truth(condition, context_).value_or(!taken) == taken;
  function().regions[region_].tests = parameter_tests(condition, taken, decl_, writes_, context_);
  if (head) {
    function().regions[region_].turns_state = makes_what_was_missing(condition, taken, body);
    function().regions[region_].asks = computed_from(condition);
    function().regions[region_].leaves = leaves(body);
  }
  tests_.push_back({condition, taken});
  statement(body);
  tests_.pop_back();
  leave();
}

void FunctionWalker::if_statement(const IfStmt* stmt) {
  statement(stmt->getInit());
  if (const DeclStmt* variable = stmt->getConditionVariableDeclStmt()) statement(variable);
  expression(stmt->getCond());
  branch(stmt->getThen(), stmt->getCond(), true, stmt);
  branch(stmt->getElse(), stmt->getCond(), false, stmt);
}

// auto& list = lists_; auto* list = &lists_; auto list = std::move(owner_);
static bool leads_to_container(QualType type) {
  const QualType list = container_behind(type);
  if (list.isNull() || list.getCanonicalType() == type.getCanonicalType()) return false;
  const QualType element = type_argument(list->getAsCXXRecordDecl(), 0);
  return !element.isNull() && may_hold_pointer(element);
}

void FunctionWalker::declaration(const VarDecl* var) {
  if (is_inference_guard(var, block_)) {
    enter(Region::Kind::kBranch, var->getSourceRange(), var->getSourceRange(), gated(Gate::kValidation));
  }
  if (!var->getInit()) return;
  if (var->isStaticLocal())
    enter(Region::Kind::kBranch, var->getSourceRange(), var->getSourceRange(), gated(Gate::kLazy));
  expression(var->getInit());
  if (var->isStaticLocal()) leave();
  name_result(var->getInit(), node_of(var));
  const QualType type = var->getType();
  if (is_container(type)) keep_callables_in(node_of(var), var->getInit());
  // auto parts = x.split(2): the elements of `parts` are tensors.
  if (Value made = values_.elements_made_by(var->getInit()); made.kind != Value::Kind::kUnknown)
    flow("*" + node_of(var), std::move(made), var->getSourceRange());
  if (leads_to_container(type))
    same_elements(node_of(var), values_.container_named_by(var->getInit()), var->getSourceRange());
  if (type->isReferenceType() || may_hold_pointer(type)) {
    const Value bound = bound_value(var->getInit(), type);
    flow(node_of(var), bound, var->getSourceRange());
    note_referred(var, bound);
    // T* a[] = {x, y}: the array's elements point to x and y.
    const auto* list = type->isArrayType() ? dyn_cast<InitListExpr>(strip(var->getInit())) : nullptr;
    for (unsigned i = 0; list && i < list->getNumInits(); ++i) {
      flow("*" + node_of(var), values_.value_of(list->getInit(i)), var->getSourceRange());
    }
  }
}

// for (float*& buffer : buffers) cudaMalloc(&buffer, size); writes the pointers in the container.
void FunctionWalker::note_referred(const VarDecl* var, const Value& bound) {
  const QualType type = var->getType();
  if (!type->isLValueReferenceType() || bound.node.empty()) return;
  const QualType pointer = type.getNonReferenceType();
  if (!pointer->isPointerType() || pointer.isConstQualified()) return;
  if (bound.kind == Value::Kind::kContent) referred_[node_of(var)] = "*" + bound.node.str();
  if (bound.kind == Value::Kind::kNode) referred_[node_of(var)] = bound.node.str();
}

// Two names for one container: what is put in under one name can be read under the other.
void FunctionWalker::same_elements(const std::string& one, const std::string& other, SourceRange at) {
  if (other.empty()) return;
  const auto link = [&](const std::string& into, const std::string& from) {
    Value value;
    value.kind = Value::Kind::kContent;
    value.node = from;
    flow("*" + into, std::move(value), at);
  };
  link(one, other);
  link(other, one);
}

// return {mask, boxes}; return targets; in a function that returns a vector of tensors: the values of its elements.
void FunctionWalker::return_elements(const Expr* returned) {
  if (!is_list_of_tensors(decl_->getReturnType())) return;
  const std::string into = "*" + return_node_of(decl_);
  Value elements;
  elements.kind = Value::Kind::kContent;
  elements.node = values_.container_of_tensors(returned);
  if (!elements.node.empty()) return flow(into, std::move(elements), returned->getSourceRange());
  if (Value made = values_.elements_made_by(returned); made.kind != Value::Kind::kUnknown)
    return flow(into, std::move(made), returned->getSourceRange());
  for (const Expr* tensor : listed_tensors(returned)) flow(into, values_.value_of(tensor), returned->getSourceRange());
}

void FunctionWalker::returned(const ReturnStmt* stmt) {
  if (!stmt->getRetValue()) return;
  if (!stmt->getNRVOCandidate()) expression(stmt->getRetValue());  // with NRVO it is constructed in the caller's object
  // float& operator[](int i) { return memory_[i]; }: the caller reads or writes through the reference.
  if (decl_->getReturnType()->isLValueReferenceType()) read_through(strip(stmt->getRetValue()));
  answer(stmt->getRetValue());
  if (decl_->getReturnType()->isBooleanType()) {
    const auto number = constant_integer(stmt->getRetValue(), context_);
    function().flag_writes.push_back({return_node_of(decl_), region_, number ? *number != 0 : -1});
  }
  const ComputedFrom computed = computed_from(stmt->getRetValue());
  ComputedFrom& returns = function().returns;
  returns.events.insert(returns.events.end(), computed.events.begin(), computed.events.end());
  returns.nodes.insert(returns.nodes.end(), computed.nodes.begin(), computed.nodes.end());
  returns.finiteness |= computed.finiteness;
  Event event = start_event(Event::Kind::kReturn, stmt->getRetValue());
  return_elements(stmt->getRetValue());
  if (may_hold_pointer(stmt->getRetValue()->getType())) {
    Value value = bound_value(stmt->getRetValue(), decl_->getReturnType());
    flow(return_node_of(decl_), value, stmt->getSourceRange());
    if (decl_->getReturnType()->isLValueReferenceType() && is_container(decl_->getReturnType()))
      same_elements(return_node_of(decl_), values_.assigned_node(stmt->getRetValue()), stmt->getSourceRange());
  }
  push(std::move(event), nullptr);
}

}  // namespace syncsniff::facts
