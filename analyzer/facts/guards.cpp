#include "analyzer/facts/guards.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <iterator>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/counts.h"
#include "analyzer/facts/kept_conditions.h"
#include "analyzer/facts/lazy.h"
#include "analyzer/facts/log_messages.h"
#include "analyzer/facts/named_terms.h"
#include "analyzer/facts/on_cpu.h"
#include "analyzer/facts/pools.h"
#include "analyzer/facts/schedules.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

void split(const Expr* expr, bool positive, bool conjunct, std::vector<Term>& out) {
  expr = strip(expr);
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot) {
    split(unary->getSubExpr(), !positive, conjunct, out);
    return;
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isLogicalOp()) {
    const bool is_and = (binary->getOpcode() == BO_LAnd) == positive;
    split(binary->getLHS(), positive, conjunct && is_and, out);
    split(binary->getRHS(), positive, conjunct && is_and, out);
    return;
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    // __builtin_expect(!!(x), 0), as assertions and likely() write it
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName() == "__builtin_expect") {
      split(call->getArg(0), positive, conjunct, out);
      return;
    }
  }
  out.push_back({expr, positive, conjunct});
}

// Also of a type that holds one: std::pair<cudaError_t, int>.
bool is_of_status_type(QualType type, const ApiTable& apis) {
  const std::string name = type.getNonReferenceType().getCanonicalType().getAsString();
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::find_if_not(name.begin() + static_cast<ptrdiff_t>(begin), name.end(),
                                        [](char c) { return isAsciiIdentifierContinue(c); }) -
                       name.begin();
    if (apis.is_status_type(std::string_view(name).substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

// status == cudaSuccess, !status: the branch runs if there was no error.
bool is_success_test(const Expr* expr, bool positive, const ASTContext& context) {
  const auto* binary = dyn_cast<BinaryOperator>(expr);
  if (!binary) return !positive && !isa<CallExpr>(expr);
  if (!binary->isEqualityOp()) return false;
  const bool zero =
      constant_integer(binary->getLHS(), context) == 0 || constant_integer(binary->getRHS(), context) == 0;
  return zero && (binary->getOpcode() == BO_EQ) == positive;
}

// check(cudaFree(p)), which returns a bool: only its body shows whether true means success.
bool is_for_callee_to_say(const Expr* expr, const ASTContext& context) {
  const auto* call = dyn_cast<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getReturnType()->isBooleanType() && !isa<CXXConversionDecl>(callee) &&
         !context.getSourceManager().isInSystemHeader(callee->getLocation());
}

bool is_error_test(const Term& term, const ApiTable& apis, const ASTContext& context) {
  if (is_for_callee_to_say(term.expr, context)) return false;
  bool found = false;
  for_each_expr(term.expr, [&](const Expr* e) { found |= is_of_status_type(e->getType(), apis); });
  if (!found || is_success_test(term.expr, term.positive, context)) return false;
  // For the else branch of `if (status == cudaSuccess)`.
  return term.positive || is_success_test(term.expr, true, context);
}

// if (std::uncaught_exceptions() > before): a destructor that runs because something was thrown.
bool is_unwinding_test(const Term& term) {
  const auto asks = [](const Expr* expr) {
    const auto* call = dyn_cast<CallExpr>(strip(expr));
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    return callee && callee->isInStdNamespace() && callee->getIdentifier() &&
           callee->getName().starts_with("uncaught_exception");
  };
  const auto* binary = dyn_cast<BinaryOperator>(strip(term.expr));
  if (!binary) return term.positive && asks(term.expr);
  const BinaryOperatorKind op = binary->getOpcode();
  if (asks(binary->getLHS())) return term.positive ? op == BO_GT || op == BO_NE : op == BO_LE || op == BO_EQ;
  if (asks(binary->getRHS())) return term.positive ? op == BO_LT || op == BO_NE : op == BO_GE || op == BO_EQ;
  return false;
}

bool is_text(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType()) return type->getPointeeType()->isCharType();
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getName() == "basic_string";
}

// void require(bool holds, const char* text) { if (!holds) complain(text); }: a function that does nothing else and
// gets a text checks something, whatever it calls then.
bool is_failed_check(const Term& term, const Stmt* branch) {
  const auto* reference = term.positive ? nullptr : dyn_cast<DeclRefExpr>(strip(term.expr));
  const auto* parameter = reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
  const auto* function = parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  const auto* body = function ? dyn_cast_or_null<CompoundStmt>(function->getBody()) : nullptr;
  if (!body || body->size() != 1 || !parameter->getType()->isBooleanType()) return false;
  const auto* test = dyn_cast<IfStmt>(body->body_front());
  return test && test->getThen() == branch && !test->getElse() &&
         std::any_of(function->param_begin(), function->param_end(),
                     [](const ParmVarDecl* other) { return is_text(other->getType()); });
}

// getenv("DEBUG"), in the condition or in the initializer of a constant that it tests.
bool asks_environment(const Stmt* stmt, int depth = 0) {
  bool found = false;
  for_each_expr(stmt, [&](const Expr* e) {
    const auto* call = dyn_cast<CallExpr>(e);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (callee && callee->getIdentifier())
      found |= callee->getName() == "getenv" || callee->getName() == "secure_getenv";
    if (found || depth > 1) return;
    const FunctionDecl* body = nullptr;
    if (callee && callee->hasBody(body) && body->getBody() && callee->getReturnType()->isBooleanType())
      found |= asks_environment(body->getBody(), depth + 1);
    const auto* reference = dyn_cast<DeclRefExpr>(e);
    const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (var && var->getInit() && (var->getType().isConstQualified() || var->isStaticLocal()))
      found |= asks_environment(var->getInit(), depth + 1);
  });
  return found;
}

// in == nullptr || batch != in->n: the pointer is tested only so that the other operand may read through it; null is
// passed only by mistake.
bool guards_reading(const Expr* tested, bool taken, const Expr* other, const ASTContext& context) {
  tested = strip(tested);
  const Expr* pointer = taken ? nullptr : tested;
  if (const auto* unary = dyn_cast<UnaryOperator>(tested); unary && unary->getOpcode() == UO_LNot && taken)
    pointer = strip(unary->getSubExpr());
  if (const auto test = equality(tested); test && test->equal == taken) {
    const Expr *left = strip(test->left), *right = strip(test->right);
    pointer = is_null(left, right, context) ? right : is_null(right, left, context) ? left : nullptr;
  }
  if (!pointer || !pointer->getType()->isPointerType()) return false;
  const ValueDecl* decl = named_decl(pointer);
  bool reads = false;
  for_each_expr(other, [&](const Expr* e) {
    const auto* member = dyn_cast<MemberExpr>(e);
    const auto* unary = dyn_cast<UnaryOperator>(e);
    const Expr* through = nullptr;
    if (member && member->isArrow()) through = member->getBase();
    if (unary && unary->getOpcode() == UO_Deref) through = unary->getSubExpr();
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(e)) through = element->getBase();
    reads |= decl && through && named_decl(strip(through)) == decl;
  });
  return reads;
}

// Whether a branch makes its own condition false, so that it is seldom taken.
class EndingBranch {
 public:
  EndingBranch(const Stmt* branch, const std::vector<LoopAround>& loops, const ASTContext& context)
      : branch_(branch), loops_(loops), context_(context) {}

  // if (!out || batch != in->n()) { out = make(); batch = in->n(); }: seldom true, since the branch makes each operand
  // of the || false. For operands of && one is enough.
  bool ends(const Expr* expr, bool taken, int depth = 0) const {
    expr = strip(expr);
    if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
      return ends(unary->getSubExpr(), !taken, depth);
    if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isLogicalOp()) {
      const bool each = (binary->getOpcode() == BO_LOr) == taken;
      const bool left = (each && guards_reading(binary->getLHS(), taken, binary->getRHS(), context_)) ||
                        ends(binary->getLHS(), taken, depth);
      return left == each ? ends(binary->getRHS(), taken, depth) : left;
    }
    if (const auto kept = depth < kDeepestKept ? kept_condition(expr, context_) : std::nullopt)
      if (ends_kept(*kept, taken, depth + 1)) return true;
    const Term term{expr, taken, true};
    return is_lazy(term, branch_, loops_, context_) || follows(term, branch_, context_) == Gate::kLazy ||
           ends_sharing(term, branch_, context_);
  }

 private:
  static constexpr int kDeepestKept = 4;  // depth of variables that store other variables' conditions

  // bool fits = n == sizes_.size(); for (...) if (sizes_[i] != need(i)) fits = false; if (!fits) ...: the branch makes
  // each of the conditions that lead to it false.
  bool ends_kept(const KeptCondition& kept, bool taken, int depth) const {
    bool any = false;
    if (const auto begins = constant_integer(kept.begins, context_)) {
      if ((*begins != 0) == taken) return false;
    } else {
      if (!ends(kept.begins, taken, depth)) return false;
      any = true;
    }
    for (const KeptCondition::Turn& turn : kept.turns) {
      if (turn.to != taken) continue;
      if (!ends(turn.condition, turn.when, depth)) return false;
      any = true;
    }
    return any;
  }

  const Stmt* branch_;
  const std::vector<LoopAround>& loops_;
  const ASTContext& context_;
};

// const bool better = loss < best; if (better) best = loss;: the stored condition, as if the branch tested it directly.
Term as_kept(const Term& term, const ASTContext& context) {
  const auto kept = kept_condition(term.expr, context);
  if (!kept || !kept->turns.empty()) return term;
  std::vector<Term> terms;
  split(kept->begins, term.positive, term.conjunct, terms);
  return terms.size() == 1 ? terms.front() : term;
}

Guard guard_of_terms(const Expr* condition, bool taken, const std::vector<Term>& terms, const Stmt* branch,
                     const std::vector<LoopAround>& loops, const Writes& writes, const ASTContext& context) {
  for (const Term& term : terms) {
    if (const auto period = period_of_count(term.expr, term.positive, writes, context))
      return gated(Gate::kModulo, *period);
  }
  if (works_off_schedule(condition, taken, branch)) return gated(Gate::kModulo);
  for (const Term& term : terms) {
    if (term.conjunct && constant_integer(term.expr, context) == (term.positive ? 0 : 1)) return gated(Gate::kNever);
    if (needs_cpu(term, branch)) return gated(Gate::kOnCpu);
    if (term.conjunct &&
        (is_lazy(term, branch, loops, context) || is_pool_miss(term, context) || makes_new_entry(term, branch)))
      return gated(Gate::kLazy);
    const Gate gate = term.conjunct ? follows(as_kept(term, context), branch, context) : Gate::kNone;
    if (gate == Gate::kBest)  // if (time >= due) due = time + interval: not a best value, but the next time that is due
      if (const auto period = steps_to_next(condition, taken, branch, context)) return gated(Gate::kModulo, *period);
    if (gate != Gate::kNone) return gated(gate);
  }
  if (EndingBranch(branch, loops, context).ends(condition, taken)) return gated(Gate::kLazy);
  if (const auto period = steps_to_next(condition, taken, branch, context)) return gated(Gate::kModulo, *period);
  for (const Term& term : terms) {
    if (asks_environment(term.expr)) return gated(Gate::kDebug);
    if (is_wanted_message(term, branch, context)) return gated(Gate::kLog);
  }
  return {};
}

}  // namespace

long count_above(const Expr* condition, bool taken, const ASTContext& context) {
  if (!condition || condition->isValueDependent()) return 0;
  std::vector<Term> terms;
  split(strip(condition), taken, true, terms);
  for (const Term& term : terms) {
    if (!term.conjunct) continue;
    Comparison sides = compared(term.expr, term.positive);
    const auto* binary = dyn_cast<BinaryOperator>(term.expr);
    bool inclusive = false;
    if (binary && binary->getOpcode() == (term.positive ? BO_EQ : BO_NE)) {
      sides = {binary->getLHS(), binary->getRHS()};
      inclusive = true;
    } else if (binary && sides.greater) {
      const bool or_equal = binary->getOpcode() == BO_GE || binary->getOpcode() == BO_LE;
      inclusive = or_equal == term.positive;
    }
    if (!sides.greater || !sides.greater->getType()->isIntegerType() || constant_integer(sides.greater, context))
      continue;
    const auto bound = constant_integer(sides.smaller, context);
    if (!bound) return 1;
    if (const long above = *bound - (inclusive ? 1 : 0); above > 0) return above;
  }
  return 0;
}

// static void stop() { save(); exit(0); }
static bool never_returns(const FunctionDecl* callee, int depth) {
  if (callee->isNoReturn() || callee->hasAttr<NoReturnAttr>() || callee->hasAttr<AnalyzerNoReturnAttr>()) return true;
  const FunctionDecl* defined = nullptr;
  if (depth == 0 || !callee->hasBody(defined)) return false;
  bool returns = false;
  for_each_stmt(defined->getBody(), [&](const Stmt* stmt) { returns |= isa<ReturnStmt>(stmt); });
  return !returns && never_returns(defined->getBody(), depth - 1);
}

bool never_returns(const Stmt* stmt, int depth) {
  if (!stmt) return false;
  if (const auto* block = dyn_cast<CompoundStmt>(stmt)) {
    return std::any_of(block->body_begin(), block->body_end(),
                       [&](const Stmt* child) { return never_returns(child, depth); });
  }
  const auto* expr = dyn_cast<Expr>(stmt);
  if (!expr) return false;
  expr = strip(expr);
  if (isa<CXXThrowExpr>(expr)) return true;
  const auto* call = dyn_cast<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && never_returns(callee, depth);
}

bool leaves_loop(const Stmt* stmt) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(stmt)) return block->size() && leaves_loop(block->body_back());
  return stmt && (isa<BreakStmt>(stmt) || isa<ReturnStmt>(stmt));
}

static const Expr* returned_by(const Stmt* stmt) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(stmt))
    return block->size() ? returned_by(block->body_back()) : nullptr;
  const auto* end = dyn_cast_or_null<ReturnStmt>(stmt);
  return end ? end->getRetValue() : nullptr;
}

bool returns_failure(const Stmt* stmt, const ASTContext& context) {
  const Expr* value = returned_by(stmt);
  if (!value || value->isValueDependent()) return false;
  if (const Expr* plain = strip(value); plain->getType()->isNullPtrType()) return true;
  const auto number = constant_integer(value, context);
  return number && (*number != 0) != value->getType()->isBooleanType();
}

Guard classify_guard(const Expr* condition, bool taken, const Stmt* branch, const std::vector<LoopAround>& loops,
                     const Writes& writes, const ApiTable& apis, const ASTContext& context) {
  if (!condition || condition->isValueDependent()) return {};
  condition = strip(condition);
  if (const auto value = constant_truth(condition, context)) return gated(*value == taken ? Gate::kNone : Gate::kNever);
  std::vector<Term> terms;
  split(condition, taken, true, terms);
  for (const Term& term : terms) {
    if (term.conjunct &&
        (is_error_test(term, apis, context) || is_unwinding_test(term) || is_failed_check(term, branch)))
      return gated(Gate::kError);
  }
  if (never_returns(branch, loops.empty() ? 0 : kBodiesRead)) return gated(Gate::kError);
  Guard guard = guard_of_terms(condition, taken, terms, branch, loops, writes, context);
  if (guard.gate == Gate::kNone || guard.gate == Gate::kLog) guard.named = named_terms(terms, branch, loops, context);
  return guard;
}

Guard classify_switch(const SwitchStmt* stmt, const Writes& writes, const ASTContext& context) {
  const auto* rest = dyn_cast<BinaryOperator>(strip(stmt->getCond()));
  if (!rest || rest->getOpcode() != BO_Rem || !may_count(rest->getLHS(), writes)) return {};
  long cases = 0;
  for (const SwitchCase* label = stmt->getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    if (isa<CaseStmt>(label))
      ++cases;
    else if (!isa<BreakStmt, NullStmt>(label->getSubStmt()))
      return {};
  }
  const long period = period_of(rest->getRHS(), context);
  return gated(Gate::kModulo, cases > 0 ? period / cases : 0);
}

Guard classify_checked(const IfStmt* check, const Stmt* block, const ASTContext& context) {
  const Expr* condition = check->getCond();
  if (!condition || condition->isValueDependent() || !never_returns(check->getThen(), 0)) return {};
  std::vector<Term> terms;
  split(strip(condition), false, true, terms);
  const bool on_cpu = std::any_of(terms.begin(), terms.end(), [&](const Term& term) { return needs_cpu(term, block); });
  return on_cpu ? gated(Gate::kOnCpu) : Guard{};
}

Guard classify_rest(const IfStmt* exit, const Stmt* block, const std::vector<LoopAround>& loops, const Writes& writes,
                    const ASTContext& context) {
  const Expr* condition = exit->getCond();
  if (!condition || condition->isValueDependent()) return {};
  std::vector<Term> terms;
  split(strip(condition), false, true, terms);
  Guard guard = guard_of_terms(condition, false, terms, block, loops, writes, context);
  if (guard.gate == Gate::kNone)
    guard.named = named_terms(terms, block, loops, context,
                              returns_failure(exit->getThen(), context) ? Naming::kModes : Naming::kAll);
  return guard;
}

}  // namespace syncsniff::facts
