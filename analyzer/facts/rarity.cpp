#include "analyzer/facts/rarity.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/counts.h"
#include "analyzer/facts/ending_flags.h"
#include "analyzer/facts/fetched_values.h"
#include "analyzer/facts/guards.h"
#include "analyzer/facts/last_iterations.h"
#include "analyzer/facts/made_once.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/turning_calls.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Up to this many first iterations are a warm-up, provided that the trip count is at least this many times as large.
constexpr long kFewIterations = 10;

bool is_local(const ValueDecl* decl) {
  const auto* var = dyn_cast<VarDecl>(decl);
  return var && var->isLocalVarDecl() && !var->isStaticLocal();
}

bool is_flag_type(QualType type) {
  type = type.getNonReferenceType();
  return type->isIntegralOrEnumerationType() || is_atomic(type);
}

bool may_change_unseen(const ValueDecl* decl) {
  return decl->getType().isVolatileQualified() || is_atomic(decl->getType());
}

// A region that runs if the flag is `positive` depends on the functions that set the flag back to that value.
Guard who_turns(const ValueDecl* flag, bool positive) {
  Guard guard;
  guard.question.flag = node_of(flag);
  guard.question.turned_to = !positive;
  return guard;
}

int rank(const Guard& guard) {
  switch (guard.gate) {
    case Gate::kNever:
      return 5;
    case Gate::kOnCpu:
    case Gate::kError:
    case Gate::kLazy:
      return 4;
    case Gate::kOnce:
      return 3;
    case Gate::kModulo:
      return guard.period > 0 && guard.period < 10 ? 1 : 2;
    default:
      return guard.gate == Gate::kNone ? 0 : 1;
  }
}

}  // namespace

Guard conjunction(const Guard& a, const Guard& b) {
  if (a.gate == Gate::kNone && b.gate == Gate::kNone) return a.question.open() ? a : b;
  return rank(a) >= rank(b) ? a : b;
}

Guard either(const Guard& a, const Guard& b) {
  const bool a_open = a.gate == Gate::kNone && a.question.open(), b_open = b.gate == Gate::kNone && b.question.open();
  // If one may be rare and the other depends on an answer, that answer decides. A guard can hold only one question, so
  // two answers give no gate.
  if (a_open) return b.gate != Gate::kNone ? a : Guard{};
  if (b_open) return a.gate != Gate::kNone ? b : Guard{};
  return rank(a) <= rank(b) ? a : b;
}

Guard Rarity::of(const Expr* condition, bool taken, const Stmt* branch, const Stmt* after, const FunctionDecl* function,
                 const std::vector<LoopAround>& loops) const {
  if (!condition || condition->isValueDependent()) return {};
  return judge(condition, taken, {branch, after, function, loops}, 0);
}

Guard Rarity::ending(const Expr* around, bool taken, const Stmt* branch, const FunctionDecl* function,
                     const std::vector<LoopAround>& loops) const {
  if (!around || around->isValueDependent()) return {};
  return ended(around, taken, {branch, nullptr, function, loops});
}

bool Rarity::in_branch(const Stmt* stmt, const Scene& scene) const {
  if (!is_within(stmt, scene.branch, context_)) return false;
  const SourceManager& sm = context_.getSourceManager();
  return !scene.after ||
         sm.isBeforeInTranslationUnit(sm.getFileLoc(scene.after->getEndLoc()), sm.getFileLoc(stmt->getBeginLoc()));
}

// The statement runs whenever the branch does, or whenever a test for success passes: no other condition or loop of the
// branch is around it.
bool Rarity::is_straight_in(const Stmt* stmt, const Stmt* branch, const Scene& scene) const {
  if (!branch) return false;
  if (stmt == branch) return true;
  if (const auto* test = dyn_cast<IfStmt>(branch)) {
    const auto fails = [&](bool taken) {
      return classify_guard(test->getCond(), taken, nullptr, scene.loops, writes_, apis_, context_).gate ==
             Gate::kError;
    };
    return (fails(false) && is_straight_in(stmt, test->getThen(), scene)) ||
           (fails(true) && is_straight_in(stmt, test->getElse(), scene));
  }
  if (isa<SwitchStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, ConditionalOperator, LambdaExpr>(branch))
    return false;
  return std::any_of(branch->child_begin(), branch->child_end(),
                     [&](const Stmt* child) { return is_straight_in(stmt, child, scene); });
}

Guard Rarity::judge(const Expr* expr, bool positive, const Scene& scene, int depth) const {
  expr = strip(expr);
  if (!expr || depth > 6) return {};
  if (auto value = constant_integer(expr, context_)) return (*value != 0) == positive ? Guard{} : gated(Gate::kNever);
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
    return judge(unary->getSubExpr(), !positive, scene, depth + 1);
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isLogicalOp()) {
    const Guard left = judge(binary->getLHS(), positive, scene, depth + 1);
    const Guard right = judge(binary->getRHS(), positive, scene, depth + 1);
    return (binary->getOpcode() == BO_LAnd) == positive ? conjunction(left, right) : either(left, right);
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName() == "__builtin_expect")
      return judge(call->getArg(0), positive, scene, depth + 1);
  }
  // const bool report = step % n == 0; if (report) ...
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    const bool once = var && is_local(var) && var->getInit() && writes_.of(var).size() == 1;
    if (once && var->getType()->isBooleanType()) {
      const Guard guard = judge(var->getInit(), positive, scene, depth + 1);
      if (guard.gate != Gate::kNone || guard.question.open()) return guard;
    }
  }
  if (const MadeOnce made = made_once(expr, positive, scene.branch, scene.function, writes_, context_); made.number) {
    Guard guard = who_turns(made.number, false);
    guard.question.size = true;
    guard.question.by = usr_of(made.by);
    return guard;
  }
  for (Guard guard : {remainder(expr, positive, scene), changed(expr, positive, scene), counter(expr, positive, scene),
                      clock(expr, positive, scene), flag(expr, positive, scene), tested(expr, positive)}) {
    if (guard.gate != Gate::kNone || guard.question.open()) return guard;
  }
  return {};
}

// step % options.every == 0, with the remainder taken by a class's overloaded operator.
static bool is_class_remainder(const Expr* expr, bool positive) {
  const auto takes = [](const Expr* side) {
    const auto* op = dyn_cast<CXXOperatorCallExpr>(side->IgnoreUnlessSpelledInSource());
    return op && op->getOperator() == OO_Percent;
  };
  expr = expr->IgnoreUnlessSpelledInSource();  // removes the conversion to bool by the class
  const auto test = equality(expr);
  return test ? test->equal == positive && (takes(test->left) || takes(test->right)) : !positive && takes(expr);
}

// step % n == 0, !(step & 63)
Guard Rarity::remainder(const Expr* expr, bool positive, const Scene& scene) const {
  if (is_class_remainder(expr, positive)) return gated(Gate::kModulo, 0);
  if (const auto period = period_of_count(expr, positive, writes_, context_)) return gated(Gate::kModulo, *period);
  const BinaryOperator* rest = equals_certain_result(expr, positive);
  if (!rest || rest->getOpcode() != BO_And) return {};
  const auto mask = constant_integer(rest->getRHS(), context_);
  const ValueDecl* counted = value_read(rest->getLHS());
  if (!mask || *mask <= 0 || (*mask & (*mask + 1)) != 0 || !counted) return {};
  const bool of_range = !scene.loops.empty() && isa<CXXForRangeStmt>(scene.loops.back().stmt) &&
                        counted->getType()->isIntegerType() && scene.loops.back().induction->count(counted);
  if (!of_range && !counts(counted, 1)) return {};
  return gated(Gate::kModulo, *mask + 1);
}

// if (shift != kept->shift) { ...; } ...; kept->shift = shift: runs if the caller passes another value than the last
// time.
Guard Rarity::changed(const Expr* expr, bool positive, const Scene& scene) const {
  const auto test = equality(expr);
  if (!test || test->equal == positive || !scene.branch) return {};
  const SourceManager& sources = context_.getSourceManager();
  const auto is_kept = [&](const Expr* kept, const Expr* given) {
    const ValueDecl *to = named_decl(kept), *from = value_read(given);
    const auto* var = dyn_cast_or_null<VarDecl>(to);
    if (!to || !isa_and_nonnull<ParmVarDecl>(from) || (var && !var->hasGlobalStorage())) return false;
    const auto& writes = writes_.of(to);
    return std::any_of(writes.begin(), writes.end(), [&](const Write& write) {
      const auto* set = dyn_cast_or_null<BinaryOperator>(write.at);
      return set && write.in == scene.function && set->getOpcode() == BO_Assign && value_read(set->getRHS()) == from &&
             sources.isBeforeInTranslationUnit(scene.branch->getEndLoc(), set->getBeginLoc());
    });
  };
  return is_kept(test->left, test->right) || is_kept(test->right, test->left) ? gated(Gate::kModulo) : Guard{};
}

// A counter: starts at a constant and is only stepped in this direction.
bool Rarity::counts(const ValueDecl* decl, int direction) const {
  bool steps = false;
  for (const Write& write : writes_.of(decl)) {
    if (write.how == Write::How::kUnknown && !isa<FieldDecl>(decl)) return false;
    steps |= write.how == Write::How::kStep && write.direction == direction;
  }
  return steps;
}

int Rarity::outlived(const ValueDecl* decl, const Scene& scene) const {
  for (const LoopAround& loop : scene.loops) {
    if (!declared_in(decl, loop.stmt, context_)) return loop.region;
  }
  return -1;
}

Guard Rarity::counter(const Expr* expr, bool positive, const Scene& scene) const {
  const auto* binary = dyn_cast<BinaryOperator>(expr);
  if (!binary || !binary->isComparisonOp() || binary->getOpcode() == BO_Cmp) return {};
  BinaryOperatorKind op = binary->getOpcode();
  if (!positive) op = BinaryOperator::negateComparisonOp(op);
  for (const bool swapped : {false, true}) {
    const Expr* side = swapped ? binary->getRHS() : binary->getLHS();
    const Expr* bound = swapped ? binary->getLHS() : binary->getRHS();
    const BinaryOperatorKind seen = swapped ? BinaryOperator::reverseComparisonOp(op) : op;
    if (Guard guard = emptied(side, bound, seen, scene); guard.gate != Gate::kNone) return guard;
    if (Guard guard = last_iterations(side, bound, seen, scene); guard.gate != Gate::kNone) return guard;
    const ValueDecl* decl = value_read(side);
    if (!decl || !isa<VarDecl, FieldDecl>(decl) || !decl->getType()->isIntegerType()) continue;
    if (Guard guard = first_iterations(decl, bound, seen, scene); guard.gate != Gate::kNone) return guard;
    if (Guard guard = starts_over(decl, bound, seen, scene); guard.gate != Gate::kNone) return guard;
    if (seen != BO_EQ) continue;
    if (Guard guard = single_value(decl, bound, scene); guard.gate != Gate::kNone) return guard;
  }
  return {};
}

// if (++n >= every) { n = 0; ... }
Guard Rarity::starts_over(const ValueDecl* counter, const Expr* bound, BinaryOperatorKind op,
                          const Scene& scene) const {
  const bool upward = (op == BO_GE || op == BO_GT || op == BO_EQ) && counts(counter, 1);
  const bool downward = !upward && (op == BO_LE || op == BO_LT || op == BO_EQ) && counts(counter, -1);
  if (!scene.branch || (!upward && !downward)) return {};
  const Stmt* loop = scene.loops.empty() ? nullptr : scene.loops.back().stmt;
  for (const Write& write : writes_.of(counter)) {
    const bool resets =
        write.how == Write::How::kSet || (write.how == Write::How::kStep && write.direction == (upward ? -1 : 1));
    if (write.initial || !resets || !in_branch(write.at, scene)) continue;
    // The steps must be taken elsewhere in the loop: a counter that only the branch steps does not count iterations.
    if (loop && is_local(counter) && outlived(counter, scene) < 0) continue;
    const auto most = upward ? constant_integer(bound, context_) : write.value;
    return gated(Gate::kModulo, most ? *most + (op == BO_GT ? 1 : 0) : 0);
  }
  return {};
}

// if (i < 3) in a loop of many iterations, or of an unknown number.
Guard Rarity::first_iterations(const ValueDecl* counter, const Expr* bound, BinaryOperatorKind op,
                               const Scene& scene) const {
  if ((op != BO_LT && op != BO_LE) || scene.loops.empty()) return {};
  const LoopAround& loop = scene.loops.back();
  const auto below = constant_integer(bound, context_);
  const std::optional<long> most = below ? std::optional(*below + (op == BO_LE)) : std::nullopt;
  if (!most || *most <= 0 || *most > kFewIterations || !loop.induction->count(counter)) return {};
  if (!isa<CXXForRangeStmt>(loop.stmt) && !counts(counter, 1)) return {};
  if (loop.trips != 0 && loop.trips < kFewIterations * *most) return {};
  return gated(Gate::kOnce, 0, loop.region);
}

// if (i + 1 < n) continue;
Guard Rarity::last_iterations(const Expr* side, const Expr* bound, BinaryOperatorKind op, const Scene& scene) const {
  const Shifted counted = shifted(side, context_);
  const ValueDecl* counter = counted.base ? value_read(counted.base) : nullptr;
  if (!counter || scene.loops.empty()) return {};
  const LoopAround& loop = scene.loops.back();
  const bool near =
      loop.induction->count(counter) != 0 && holds_near_end(counter, counted.by, op, bound, loop.stmt, context_);
  return near ? gated(Gate::kOnce, 0, loop.region) : Guard{};
}

// if (losses.size() == 100) { ...; losses.clear(); }
Guard Rarity::emptied(const Expr* side, const Expr* bound, BinaryOperatorKind op, const Scene& scene) const {
  const auto* tested = dyn_cast_or_null<CXXMemberCallExpr>(strip(side));
  if (!tested || !tested->getMethodDecl() || !tested->getMethodDecl()->getIdentifier() || !scene.branch) return {};
  const ValueDecl* container = named_decl(tested->getImplicitObjectArgument());
  if (!container || tested->getMethodDecl()->getName() != "size") return {};
  const auto most = constant_integer(bound, context_);
  if ((op != BO_GE && op != BO_GT && op != BO_EQ) || (most && *most < 2)) return {};
  const auto empties = [&](const auto& self, const Stmt* stmt) -> bool {
    if (!stmt) return false;
    const auto* call = dyn_cast<CXXMemberCallExpr>(stmt);
    if (call && call->getMethodDecl() && call->getMethodDecl()->getIdentifier() &&
        call->getMethodDecl()->getName() == "clear" && named_decl(call->getImplicitObjectArgument()) == container) {
      return in_branch(call, scene);
    }
    return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  return empties(empties, scene.branch) ? gated(Gate::kModulo, most.value_or(0)) : Guard{};
}

// if (i == next) { next += 100; ... }
Guard Rarity::moved_on(const ValueDecl* next, const Scene& scene) const {
  bool steps = false;
  for (const Write& write : writes_.of(next)) {
    if (write.initial) continue;
    if (write.how != Write::How::kStep || !scene.branch || !in_branch(write.at, scene)) return {};
    steps = true;
  }
  return steps ? gated(Gate::kModulo) : Guard{};
}

// bool receive() { count_++; if (count_ == expected()) { ...; return true; } return false; }: the function only waits
// for the last of several calls, and the count begins anew elsewhere. What it does then is one step.
bool Rarity::awaits_all(const ValueDecl* counter, const Scene& scene) const {
  const auto* body = scene.function ? dyn_cast_or_null<CompoundStmt>(scene.function->getBody()) : nullptr;
  if (!body || !scene.branch) return false;
  bool begins_anew = false;
  for (const Write& write : writes_.of(counter)) {
    if (write.initial || write.how != Write::How::kSet) continue;
    begins_anew = !in_branch(write.at, scene);
    if (!begins_anew) return false;
  }
  return begins_anew && std::all_of(body->body_begin(), body->body_end(), [&](const Stmt* stmt) {
           const auto* test = dyn_cast<IfStmt>(stmt);
           return test ? test->getThen() == scene.branch : isa<ReturnStmt, UnaryOperator, ExprWithCleanups>(stmt);
         });
}

// if (step == warmup): a counter that only increases has each value once.
Guard Rarity::single_value(const ValueDecl* counter, const Expr* bound, const Scene& scene) const {
  const ValueDecl* other = value_read(bound);
  if (other && (counts(other, 1) || counts(other, -1))) return moved_on(other, scene);
  for (const LoopAround& loop : scene.loops) {
    if (!loop.induction->count(counter) && !loop.induction->count(counter->getMostRecentDecl())) continue;
    // The counter of an outer loop keeps its value in all iterations of an inner one.
    return &loop == &scene.loops.back() ? gated(Gate::kOnce, 0, loop.region) : Guard{};
  }
  // bool should_prune(int iter) { return iter == last; }: only the caller knows whether the parameter is a counter.
  if (isa<ParmVarDecl>(counter)) return {};
  if (!counts(counter, 1)) return {};
  if (!is_local(counter)) return gated(Gate::kModulo, awaits_all(counter, scene) ? 2 : 0);
  const int region = outlived(counter, scene);
  bool stepped_here = false;
  for (const Write& write : writes_.of(counter)) {
    if (write.how == Write::How::kStep && !scene.loops.empty())
      stepped_here |= is_within(write.at, scene.loops.back().stmt, context_);
  }
  return region >= 0 && stepped_here ? gated(Gate::kOnce, 0, region) : Guard{};
}

// now - last > interval
Guard Rarity::clock(const Expr* expr, bool positive, const Scene& scene) const {
  const Comparison sides = compared(expr, positive);
  if (!sides.greater) return {};
  const Stmt* loop = scene.loops.empty() ? nullptr : scene.loops.back().stmt;
  const ClockReading late = reads_clock(sides.greater, loop, writes_, apis_, context_);
  const ClockReading early = reads_clock(sides.smaller, loop, writes_, apis_, context_);
  if (early.reads) return {};
  if (late.reads) return gated(Gate::kModulo);
  Guard guard;
  guard.question.function = late.asks;
  guard.question.compared = true;
  return guard;
}

Guard Rarity::flag(const Expr* expr, bool positive, const Scene& scene) const {
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isEqualityOp()) {
    const auto test = flag_test(binary, context_);
    return test && value_read(test->flag) ? turned_or_ending(test->flag, test->value == positive, scene) : Guard{};
  }
  // if (asked.exchange(false)): tests and resets the flag at once.
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expr)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const std::string name = method && method->getIdentifier() ? method->getName().str() : "";
    if (is_atomic(call->getImplicitObjectArgument()->getType()) &&
        ((name == "exchange" && constant_integer(call->getArg(0), context_) == (positive ? 0 : 1)) ||
         (name == "test_and_set" && !positive))) {
      return gated(Gate::kDebug);
    }
  }
  return value_read(expr) ? turned_or_ending(expr, positive, scene) : Guard{};
}

// if (done) { save(); } ...; if (done) break;
Guard Rarity::turned_or_ending(const Expr* tested, bool positive, const Scene& scene) const {
  const ValueDecl* decl = value_read(tested);
  const LoopAround* loop = scene.loops.empty() ? nullptr : &scene.loops.back();
  if (loop && scene.branch && is_flag_type(decl->getType()) &&
      flag_ends_loop(decl, positive, scene.branch, loop->stmt, writes_, context_))
    return gated(Gate::kOnce, 0, loop->region);
  return turned_flag(tested, positive, scene);
}

// if (!done) { ...; done = true; }
Guard Rarity::turned_flag(const Expr* tested, bool positive, const Scene& scene) const {
  const ValueDecl* decl = value_read(tested);
  if (!scene.branch || !isa<VarDecl, FieldDecl>(decl) || !is_flag_type(decl->getType())) return {};
  if (isa<ParmVarDecl>(decl)) return {};
  bool turns = false, computed = false, turned_back = false, turned_back_here = false;
  for (const Write& write : writes_.of(decl)) {
    if (write.initial) continue;
    if (write.how == Write::How::kUnknown) return {};
    const bool inside = in_branch(write.at, scene);
    const bool turns_here = positive ? write.value == 0 : sets_for_good(write);
    if (inside && write.how == Write::How::kSet && turns_here) {
      if (!is_straight_in(write.at, scene.branch, scene)) return {};
      // if (!bad) { cudaMemcpy(&h, ...); if (isnan(h)) bad = true; }: in a run without errors the flag is never set.
      if (depends_on_fetched(write.at, scene.branch, apis_)) return {};
      turns = true;
      computed |= !write.value;
    } else if (write.how == Write::How::kStep || write.may_be(positive)) {
      turned_back = true;
      turned_back_here |= write.in == scene.function;
    }
  }
  if (!turns) {
    if (is_local(decl)) return {};
    // if (threshold == 0) find_threshold();
    if (const FunctionDecl* turning = turning_call(tested, positive, scene.branch, writes_, context_)) {
      Guard guard = who_turns(decl, positive);
      guard.question.by = usr_of(turning);
      return guard;
    }
    return turned_back ? Guard{} : switched_off(decl, positive);
  }
  // Set on request, by a signal or another thread.
  if (turned_back && !turned_back_here && may_change_unseen(decl)) return gated(Gate::kDebug);
  if (is_local(decl)) {
    const int region = outlived(decl, scene);
    if (turned_back) return {};
    if (decl->getDeclContext() != scene.function) return gated(Gate::kLazy);
    return region >= 0 ? gated(Gate::kOnce, 0, region) : Guard{};
  }
  Guard guard = who_turns(decl, positive);
  if (computed && !turned_back_here && scene.function) guard.question.by = usr_of(scene.function);
  return guard;
}

// while (!done) { ...; if (enough) { save(); done = true; } }
Guard Rarity::ended(const Expr* around, bool positive, const Scene& scene) const {
  const Expr* expr = strip(around);
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
    return ended(unary->getSubExpr(), !positive, scene);
  if (const auto* binary = dyn_cast_or_null<BinaryOperator>(expr); binary && binary->isLogicalOp()) {
    if ((binary->getOpcode() == BO_LAnd) != positive) return {};
    const Guard left = ended(binary->getLHS(), positive, scene);
    return left.gate != Gate::kNone || left.question.open() ? left : ended(binary->getRHS(), positive, scene);
  }
  const ValueDecl* flag = expr ? value_read(expr) : nullptr;
  const Guard guard = flag ? turned_flag(expr, positive, scene) : Guard{};
  const bool ends = guard.gate == Gate::kOnce || (guard.gate == Gate::kNone && guard.question.open());
  return ends && !guard.question.off ? guard : Guard{};
}

// int debug_sync = 0; ... if (debug_sync): a switch that is initially off. Whether another unit sets it is decided when
// all units are known.
Guard Rarity::switched_off(const ValueDecl* decl, bool positive) const {
  if (const auto* field = dyn_cast<FieldDecl>(decl)) return begun_off(field, positive);
  const auto* var = dyn_cast<VarDecl>(decl);
  const VarDecl* definition = var ? var->getDefinition() : nullptr;
  if (!definition || may_change_unseen(decl)) return {};
  const Expr* initial = definition->getInit();
  const auto value = initial ? constant_integer(initial, context_) : std::optional<long>(0);
  if (!value || (*value != 0) == positive) return {};
  Guard guard = who_turns(decl, positive);
  guard.question.off = true;
  return guard;
}

// Layer(int width, bool verbose = false) : verbose_(verbose) ... if (verbose_): which arguments the constructors'
// callers pass is decided when all units are known. Members of an aggregate are left out, since a braced initializer
// anywhere may set them.
Guard Rarity::begun_off(const FieldDecl* field, bool positive) const {
  const auto* record = dyn_cast<CXXRecordDecl>(field->getParent());
  if (!record || record->isDependentContext() || record->isAggregate() || record->isUnion() ||
      !field->getType()->isBooleanType() || may_change_unseen(field))
    return {};
  Guard guard = who_turns(field, positive);
  guard.question.off = guard.question.of_object = true;
  return guard;
}

// if (logger.due()): as rare as a true result of that function is.
Guard Rarity::tested(const Expr* expr, bool positive) const {
  const auto* call = dyn_cast<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  // How often a library function returns true, or a smart pointer is set, is unknown.
  if (!callee || !callee->getReturnType()->isBooleanType() || isa<CXXConversionDecl>(callee) ||
      context_.getSourceManager().isInSystemHeader(callee->getLocation()))
    return {};
  Guard guard;
  guard.question.function = usr_of(callee);
  guard.question.answer = positive;
  guard.question.overridable = is_dispatched(call->getCallee(), callee);
  return guard;
}

}  // namespace syncsniff::facts
