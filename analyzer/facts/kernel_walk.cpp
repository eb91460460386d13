#include "analyzer/facts/kernel_walk.h"

#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/trip_counts.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const VarDecl* assigned_variable(const Expr* target) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(target ? target->IgnoreParenCasts() : nullptr);
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

}  // namespace

void find_assigned(const Stmt* stmt, std::set<const VarDecl*>& into) {
  if (!stmt) return;
  const VarDecl* var = nullptr;
  if (const auto* op = dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp())
    var = assigned_variable(op->getLHS());
  if (const auto* op = dyn_cast<UnaryOperator>(stmt);
      op && (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf))
    var = assigned_variable(op->getSubExpr());
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(stmt); op && op->isAssignmentOp())
    var = assigned_variable(op->getArg(0));
  if (var) into.insert(var);
  for (const Stmt* child : stmt->children()) find_assigned(child, into);
}

namespace {

std::set<const VarDecl*> assigned_in(const Stmt* stmt) {
  std::set<const VarDecl*> out;
  find_assigned(stmt, out);
  return out;
}

// The expression that is added in `i += blockDim.x * gridDim.x` and `i = i + stride`; null for any other change of the
// variable.
const Expr* added_to(const VarDecl* var, const Stmt* stmt) {
  const auto* op = dyn_cast<BinaryOperator>(stmt);
  if (!op || assigned_variable(op->getLHS()) != var) return nullptr;
  if (op->getOpcode() == BO_AddAssign) return op->getRHS();
  const auto* sum = op->getOpcode() == BO_Assign ? dyn_cast<BinaryOperator>(strip(op->getRHS())) : nullptr;
  const bool goes_on = sum && sum->getOpcode() == BO_Add && assigned_variable(sum->getLHS()) == var;
  return goes_on ? sum->getRHS() : nullptr;
}

template <class F>
void for_each_change(const VarDecl* var, const Stmt* stmt, const F& visit) {
  if (!stmt) return;
  const auto* op = dyn_cast<BinaryOperator>(stmt);
  const auto* unary = dyn_cast<UnaryOperator>(stmt);
  if (op && op->isAssignmentOp() && assigned_variable(op->getLHS()) == var) visit(stmt);
  if (unary && assigned_variable(unary->getSubExpr()) == var &&
      (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf))
    visit(stmt);
  for (const Stmt* child : stmt->children()) for_each_change(var, child, visit);
}

bool has_symbol(const Sum& sum, const char* first_letters) {
  for (const Product& p : sum.products) {
    for (const std::string& symbol : p.of) {
      if (std::string(first_letters).find(symbol[0]) != std::string::npos) return true;
    }
  }
  return false;
}

// ++i, i += 1
bool steps_by_one(const Expr* step, const VarDecl* counter, const ASTContext& context) {
  const auto* unary = dyn_cast_or_null<UnaryOperator>(step ? step->IgnoreParens() : nullptr);
  if (unary) return unary->isIncrementOp() && assigned_variable(unary->getSubExpr()) == counter;
  const Expr* added = step ? added_to(counter, step->IgnoreParens()) : nullptr;
  return added && constant_integer(added, context).value_or(0) == 1;
}

const VarDecl* counter_of(const Stmt* loop) {
  const auto* f = dyn_cast<ForStmt>(loop);
  const auto* init = f ? dyn_cast_or_null<DeclStmt>(f->getInit()) : nullptr;
  return init && init->isSingleDecl() ? dyn_cast<VarDecl>(init->getSingleDecl()) : nullptr;
}

}  // namespace

bool depends_on_thread(const Sum& sum) { return has_symbol(sum, "TBLK?"); }

Known number(Sum sum) {
  Known out;
  out.kind = Known::Kind::kNumber;
  out.sum = std::move(sum);
  return out;
}

bool KernelWalk::walk(const FunctionDecl* kernel) {
  for (const ParmVarDecl* param : kernel->parameters()) {
    const int index = static_cast<int>(param->getFunctionScopeIndex());
    Known& known = known_[param];
    if (param->getType()->isPointerType()) {
      known.kind = Known::Kind::kMemory;
      known.param = index;
    } else if (param->getType()->isIntegralOrEnumerationType()) {
      known = number(sum_of(parameter_symbol(index)));
    }
  }
  frames_.push_back({kernel, {}, false, {}});
  statement(kernel->getBody());
  return !failed_;
}

void KernelWalk::forget(const std::set<const VarDecl*>& variables) {
  for (const VarDecl* var : variables) {
    // A pointer with several possible targets is no longer at a thread's own index.
    Known& known = known_[var];
    if (known.kind == Known::Kind::kMemory)
      known.sum = sum_of(std::string(kUnknownIndex));
    else
      known = {};
  }
}

void KernelWalk::statement(const Stmt* stmt) {
  if (!stmt || failed_) return;
  if (const auto* expr = dyn_cast<Expr>(stmt)) {
    expr->isGLValue() ? place(expr) : value(expr);
    return;
  }
  if (const auto* s = dyn_cast<DeclStmt>(stmt)) {
    for (const Decl* decl : s->decls()) {
      if (const auto* var = dyn_cast<VarDecl>(decl)) declaration(var);
    }
    return;
  }
  if (const auto* s = dyn_cast<IfStmt>(stmt)) return if_statement(s);
  if (const auto* s = dyn_cast<ReturnStmt>(stmt)) return returned(s);
  if (isa<ForStmt, WhileStmt, DoStmt>(stmt)) return loop(stmt);
  if (const auto* s = dyn_cast<SwitchStmt>(stmt)) {
    value(s->getCond());
    statement(s->getBody());
    return forget(assigned_in(s->getBody()));
  }
  if (isa<CompoundStmt, CaseStmt, DefaultStmt, AttributedStmt>(stmt)) {
    for (const Stmt* child : stmt->children()) statement(child);
    return;
  }
  if (!isa<NullStmt, BreakStmt, ContinueStmt>(stmt)) fail();  // assembler, goto, range-for
}

void KernelWalk::declaration(const VarDecl* var) {
  if (var->hasAttr<CUDASharedAttr>() || var->isStaticLocal()) return void(fail());
  known_[var] = {};
  if (!var->getInit()) return;
  const bool refers = var->getType()->isReferenceType();
  const Known init = refers ? place(var->getInit()) : value(var->getInit());
  const bool keeps = refers || var->getType()->isPointerType() || var->getType()->isIntegralOrEnumerationType();
  if (keeps)
    known_[var] = init;
  else if (init.kind == Known::Kind::kMemory)
    fail();
}

void KernelWalk::if_statement(const IfStmt* stmt) {
  statement(stmt->getInit());
  const auto taken = constant_truth(stmt->getCond(), context_);
  if (taken) return statement(*taken ? stmt->getThen() : stmt->getElse());
  condition(stmt->getCond());
  const auto before = known_;
  statement(stmt->getThen());
  known_ = before;
  statement(stmt->getElse());
  known_ = before;
  forget(assigned_in(stmt->getThen()));
  forget(assigned_in(stmt->getElse()));
}

// Walks a condition, and records the limits that it sets to the threads' indices.
void KernelWalk::condition(const Expr* expr) {
  const auto* op = dyn_cast<BinaryOperator>(expr->IgnoreParenImpCasts());
  if (op && op->isLogicalOp()) {
    condition(op->getLHS());
    return condition(op->getRHS());
  }
  if (!op || !op->isRelationalOp()) {
    value(expr);
    return;
  }
  const bool less = op->getOpcode() == BO_LT || op->getOpcode() == BO_GE;  // i < n, and i >= n leaves
  const bool more = op->getOpcode() == BO_LE || op->getOpcode() == BO_GT;
  const Known left = value(op->getLHS()), right = value(op->getRHS());
  if (left.kind != Known::Kind::kNumber || right.kind != Known::Kind::kNumber) return;
  const auto add = [&](const Sum& index, const Sum& limit, bool or_equal) {
    if (has_symbol(index, "TB") && !has_symbol(index, "?") && !depends_on_thread(limit))
      bounds_.push_back({index, or_equal ? limit + sum_of(1) : limit});
  };
  add(left.sum, right.sum, more);
  add(right.sum, left.sum, less);
}

void KernelWalk::returned(const ReturnStmt* stmt) {
  const Expr* expr = stmt->getRetValue();
  if (!expr) return;
  const bool refers = frames_.back().function->getReturnType()->isReferenceType();
  const Known result = refers ? place(expr) : value(expr);
  Frame& frame = frames_.back();
  const bool same = !frame.has_result || (frame.result.kind == result.kind && frame.result.param == result.param &&
                                          frame.result.sum == result.sum);
  if (!same && (result.kind == Known::Kind::kMemory || frame.result.kind == Known::Kind::kMemory)) fail();
  frame.result = same ? result : Known{};
  frame.has_result = true;
}

// Whether each change of the variable in the loop adds the same number for all threads. `over` are the first letters of
// the symbols of which the number must have one; empty: it may be any number but one.
bool KernelWalk::strides(const Stmt* loop, const VarDecl* var, const char* over) {
  bool all = true;
  for_each_change(var, loop, [&](const Stmt* change) {
    const Expr* added = added_to(var, change);
    const Known step = added ? value(added) : Known{};
    const bool moves_on = *over ? has_symbol(step.sum, over) : !(step.sum == sum_of(1));
    all &= step.kind == Known::Kind::kNumber && moves_on && !depends_on_thread(step.sum);
  });
  return all;
}

// for (i = own index; i < n; i += blockDim.x * gridDim.x): each iteration does what another thread could have done. The
// same holds if a block strides over its row, for (i = threadIdx.x; i < columns; i += blockDim.x), or a thread over its
// column, unless an iteration adds to what a later one uses, such as the sum of the column.
std::set<const VarDecl*> KernelWalk::striding_variables(const Stmt* loop, const std::set<const VarDecl*>& assigned) {
  const auto starts_with = [&](const VarDecl* var, const char* first_letters) {
    const auto known = known_.find(var);
    return known != known_.end() && known->second.kind == Known::Kind::kNumber &&
           has_symbol(known->second.sum, first_letters);
  };
  const auto striding = [&](const char* first_letters, const char* over) {
    std::set<const VarDecl*> out;
    for (const VarDecl* var : assigned)
      if (starts_with(var, first_letters) && strides(loop, var, over)) out.insert(var);
    return out;
  };
  if (std::set<const VarDecl*> over_grid = striding("TB", "G"); !over_grid.empty()) return over_grid;
  const std::set<const VarDecl*> over_block = striding("T", "");
  const Stmt* body = body_of_loop(loop);
  const bool carries = std::ranges::any_of(
      assigned, [&](const VarDecl* var) { return !declared_in(var, body, context_) && !over_block.contains(var); });
  return carries ? std::set<const VarDecl*>{} : over_block;
}

// for (k = first; ...; ++k): in the body k is its first value plus the number of iterations so far.
void KernelWalk::count(const Stmt* loop, const VarDecl* counter, const Known& first, long trips) {
  const auto* f = dyn_cast<ForStmt>(loop);
  if (!f || !counter || first.kind != Known::Kind::kNumber || !steps_by_one(f->getInc(), counter, context_)) return;
  if (assigned_in(f->getBody()).count(counter)) return;
  const std::string symbol = kCounter + std::to_string(counted_.size());
  counted_[symbol] = {loop, trips};
  known_[counter] = number(first.sum + sum_of(symbol));
}

void KernelWalk::loop(const Stmt* loop) {
  if (runs_once(loop, context_)) return statement(body_of_loop(loop));
  const auto* f = dyn_cast<ForStmt>(loop);
  if (f) statement(f->getInit());
  const Expr* head = f ? f->getCond() : isa<WhileStmt>(loop) ? cast<WhileStmt>(loop)->getCond() : nullptr;
  std::set<const VarDecl*> assigned = assigned_in(body_of_loop(loop));
  if (f) find_assigned(f->getInc(), assigned);
  const std::set<const VarDecl*> striding = striding_variables(loop, assigned);
  const VarDecl* counter = counter_of(loop);
  const long trips = constant_trips(loop, context_);
  const bool unrolled = striding.empty() && trips > 0 && counter;
  const Known first = counter ? known_[counter] : Known{};
  for (const VarDecl* var : striding) assigned.erase(var);
  forget(assigned);
  if (unrolled) known_[counter] = number(first.sum + sum_of(kUnrolled + std::to_string(trips)));
  const bool plain = striding.empty() && !unrolled;
  if (plain) count(loop, counter, first, trips);
  if (head && !unrolled) condition(head);
  striding_ += !striding.empty(), loops_ += plain, unrolled_ += unrolled;
  statement(body_of_loop(loop));
  if (f && f->getInc() && striding.empty() && !unrolled) value(f->getInc());
  striding_ -= !striding.empty(), loops_ -= plain, unrolled_ -= unrolled;
  forget(assigned);
}

}  // namespace syncsniff::facts
