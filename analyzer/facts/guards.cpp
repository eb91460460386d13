#include "analyzer/facts/guards.h"

#include <clang/AST/ExprCXX.h>

#include <regex>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Splits camelCase and snake_case into words, so that `val` is found in `val_loss` and `runVal`, not in `value`.
bool has_word(StringRef name, const std::regex& words) {
  std::string spaced;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '_' || c == ':') {
      spaced += ' ';
      continue;
    }
    if (isupper(static_cast<unsigned char>(c)) && i && islower(static_cast<unsigned char>(name[i - 1]))) spaced += ' ';
    spaced += static_cast<char>(tolower(static_cast<unsigned char>(c)));
  }
  return std::regex_search(spaced, words);
}

const std::regex kValidation("\\b(val|valid|validation|validate|eval|evaluate|evaluation|test|testing|hellaswag)\\b");
const std::regex kDebug(
    "\\b(debug|verbose|dump|profile|profiling|trace|print|log|logging|save|checkpoint|checkpointing|"
    "visualize|sample|display|plot)\\b");
const std::regex kTrain("\\b(train|training|learning)\\b");
const std::regex kInference("\\b(infer|inference|predict|prediction|generate|generating)\\b");
// `if (!done)` and `if (need)`: the same thing said from two sides.
const std::regex kAlreadyDone("\\b(initialized|initialised|inited|allocated|ready|built|created)\\b");
const std::regex kStillToDo("\\b(init|first|uninitialized|uninitialised|setup|resize|realloc|grow)\\b");

template <class F>
void for_each_expr(const Stmt* stmt, const F& visit) {
  if (!stmt) return;
  if (const auto* expr = dyn_cast<Expr>(stmt)) visit(expr);
  for (const Stmt* child : stmt->children()) for_each_expr(child, visit);
}

bool names(const Expr* expr, const std::regex& words) {
  bool found = false;
  for_each_expr(expr, [&](const Expr* e) {
    if (const auto* r = dyn_cast<DeclRefExpr>(e)) found |= has_word(r->getDecl()->getDeclName().getAsString(), words);
    if (const auto* m = dyn_cast<MemberExpr>(e))
      found |= has_word(m->getMemberDecl()->getDeclName().getAsString(), words);
  });
  return found;
}

// One operand of a chain of && and ||, with the negations around it counted.
struct Term {
  const Expr* expr;
  bool positive;
  bool conjunct;  // the branch needs it: every connective above is && (as seen from the branch)
};

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

Guard modulo(const Term& term, const ASTContext& context) {
  const BinaryOperator* rest = equals_certain_result(term.expr, term.positive);
  if (!rest || rest->getOpcode() != BO_Rem) return {};
  return gated(Gate::kModulo, constant_integer(rest->getRHS(), context).value_or(0));
}

bool status_type(QualType type) {
  const std::string name = type.getNonReferenceType().getCanonicalType().getAsString();
  static const std::regex kStatus(
      "cudaError|CUresult|cudaError_enum|cublasStatus|cudnnStatus|ncclResult|curandStatus|"
      "cusparseStatus|cusolverStatus|CUptiResult");
  return std::regex_search(name, kStatus);
}

// status == cudaSuccess, !status: what follows where all went well.
bool is_success_test(const Expr* expr, bool positive, const ASTContext& context) {
  const auto* binary = dyn_cast<BinaryOperator>(expr);
  if (!binary) return !positive && !isa<CallExpr>(expr);
  if (!binary->isEqualityOp()) return false;
  const bool zero =
      constant_integer(binary->getLHS(), context) == 0 || constant_integer(binary->getRHS(), context) == 0;
  return zero && (binary->getOpcode() == BO_EQ) == positive;
}

bool is_error_test(const Term& term, const ASTContext& context) {
  bool found = false;
  for_each_expr(term.expr, [&](const Expr* e) { found |= status_type(e->getType()); });
  if (!found || is_success_test(term.expr, term.positive, context)) return false;
  // `if (status == cudaSuccess) ... else`: the other side of it.
  return term.positive || is_success_test(term.expr, true, context);
}

// Ends in exit, abort, throw or another function that never comes back.
bool never_returns(const Stmt* stmt) {
  if (!stmt) return false;
  if (const auto* block = dyn_cast<CompoundStmt>(stmt)) {
    for (const Stmt* child : block->body()) {
      if (never_returns(child)) return true;
    }
    return false;
  }
  const auto* expr = dyn_cast<Expr>(stmt);
  if (!expr) return false;
  expr = strip(expr);
  if (isa<CXXThrowExpr>(expr)) return true;
  const auto* call = dyn_cast<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && (callee->isNoReturn() || callee->hasAttr<NoReturnAttr>() || callee->hasAttr<AnalyzerNoReturnAttr>());
}

// `bool first = true;` in the body of a loop: whatever its name says, it begins anew in each iteration.
bool begins_anew(const Expr* expr, const std::vector<LoopAround>& loops, const ASTContext& context) {
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!var || !var->isLocalVarDecl() || var->isStaticLocal() || !var->getInit()) return false;
  if (!constant_integer(var->getInit(), context)) return false;
  return std::any_of(loops.begin(), loops.end(), [&](const LoopAround& loop) {
    const Stmt* body = body_of_loop(loop.stmt);
    return body && declared_in(var, body, context);
  });
}

const ValueDecl* named_value(const Expr* expr) {
  expr = strip(expr);
  if (const auto* r = dyn_cast_or_null<DeclRefExpr>(expr)) return r->getDecl();
  if (const auto* m = dyn_cast_or_null<MemberExpr>(expr)) return m->getMemberDecl();
  return nullptr;
}

// The variable that an element or a field of one lies in.
const ValueDecl* root_of(const Expr* expr) {
  for (expr = strip(expr); expr;) {
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = strip(element->getBase());
    else if (const auto* member = dyn_cast<MemberExpr>(expr))
      expr = strip(member->getBase());
    else
      break;
  }
  return named_value(expr);
}

bool mentions(const Expr* expr, const ValueDecl* decl) {
  bool found = false;
  for_each_expr(expr, [&](const Expr* e) { found |= named_value(e) == decl; });
  return found;
}

// The branch may give the variable or field another value: names it other than to read it, or calls out of sight of it.
// A parameter or local that it only reads has the same value next time.
bool may_change(const Expr* expr, const Stmt* branch) {
  const ValueDecl* decl = named_value(expr);
  if (!decl || !branch) return true;
  const auto* var = dyn_cast<VarDecl>(decl);
  const auto* field = dyn_cast<MemberExpr>(strip(expr));
  const bool own = field && isa<CXXThisExpr>(strip(field->getBase()));
  const ValueDecl* object = field && !own ? root_of(field->getBase()) : nullptr;
  const bool hidden = own || (var && var->hasGlobalStorage());
  bool changes = false;
  std::vector<const Stmt*> open{branch};
  while (!open.empty() && !changes) {
    const Stmt* stmt = open.back();
    open.pop_back();
    if (!stmt) continue;
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(stmt);
        cast && cast->getCastKind() == CK_LValueToRValue && named_value(cast->getSubExpr()) == decl)
      continue;
    const auto* named = dyn_cast<Expr>(stmt);
    changes |= named && isa<DeclRefExpr, MemberExpr>(named) && named_value(named) == decl;
    const auto* call = dyn_cast<CallExpr>(stmt);
    changes |= hidden && call && !isa<CUDAKernelCallExpr>(call) && (!own || isa<CXXMemberCallExpr>(call));
    // config->resize: whoever gets the object may turn it.
    if (call && field && !own) changes |= object == nullptr || mentions(call, object);
    open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return changes;
}

// it == cache.end(), cache.count(key) == 0, !cache.contains(key): made once for each.
bool is_absent(const Term& term, const ASTContext& context) {
  const auto asks = [](const Expr* expr, std::initializer_list<StringRef> names) {
    const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(strip(expr));
    const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    return method && method->getIdentifier() && llvm::is_contained(names, method->getName());
  };
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  bool equal = false;
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(term.expr); op && op->getNumArgs() == 2) {
    if (op->getOperator() != OO_EqualEqual && op->getOperator() != OO_ExclaimEqual) return false;
    left = op->getArg(0), right = op->getArg(1), equal = op->getOperator() == OO_EqualEqual;
  } else if (const auto* binary = dyn_cast<BinaryOperator>(term.expr); binary && binary->isEqualityOp()) {
    left = binary->getLHS(), right = binary->getRHS(), equal = binary->getOpcode() == BO_EQ;
  } else if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(term.expr)) {
    left = rewritten->getLHS(), right = rewritten->getRHS(), equal = rewritten->getOperator() == BO_EQ;
  } else {
    return !term.positive && asks(term.expr, {"contains", "count"});
  }
  if (equal != term.positive) return false;
  if (asks(left, {"count"})) return constant_integer(right, context) == 0;
  return asks(left, {"end", "cend"}) || asks(right, {"end", "cend"});
}

// if (!ptr), if (ptr == NULL), if (!initialized), if (have < need) allocate
bool is_lazy(const Term& term, const Stmt* branch, const std::vector<LoopAround>& loops, const ASTContext& context) {
  const Expr* expr = term.expr;
  if (is_absent(term, context)) return true;
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isEqualityOp()) {
    const Expr* left = strip(binary->getLHS());
    const Expr* right = strip(binary->getRHS());
    const bool null = left->getType()->isNullPtrType() || right->getType()->isNullPtrType() ||
                      isa<GNUNullExpr>(right) || (left->getType()->isPointerType() && isa<IntegerLiteral>(right));
    const bool asks_left =
        !right->getType()->isNullPtrType() && !isa<GNUNullExpr>(right) && !isa<IntegerLiteral>(right);
    return null && (binary->getOpcode() == BO_EQ) == term.positive && may_change(asks_left ? right : left, branch);
  }
  if (expr->getType()->isPointerType() && !term.positive) return may_change(expr, branch);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expr)) {
    const auto* method = call->getMethodDecl();
    if (method && method->getIdentifier() && (method->getName() == "defined" || method->getName() == "has_value")) {
      return !term.positive;
    }
  }
  // A field of somebody else's that the branch leaves as it is, is an option.
  return isa<DeclRefExpr, MemberExpr>(expr) && names(expr, term.positive ? kStillToDo : kAlreadyDone) &&
         !begins_anew(expr, loops, context) && (isa<DeclRefExpr>(expr) || may_change(expr, branch));
}

// `have = need`, `have = round_up(need)` somewhere in the branch.
bool becomes(const Expr* have, const Expr* need, const Stmt* branch, const ASTContext& context) {
  const ValueDecl* to = named_value(have);
  const ValueDecl* from = named_value(need);
  if (!to || !branch) return false;
  const auto assigns = [&](const auto& self, const Stmt* stmt) -> bool {
    if (!stmt) return false;
    const auto* a = dyn_cast<BinaryOperator>(stmt);
    if (a && a->getOpcode() == BO_Assign && named_value(a->getLHS()) == to &&
        (from ? mentions(a->getRHS(), from) : !constant_integer(a->getRHS(), context))) {
      return true;
    }
    return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  return assigns(assigns, branch);
}

// if (have < need) { ...; have = need; }: grows, and then no more. Or follows, as in if (have != need). With numbers
// that are no sizes, or downwards, it is the best so far: that may come more often.
Gate follows(const Term& term, const Stmt* branch, const ASTContext& context) {
  if (const Comparison sides = compared(term.expr, term.positive); sides.greater) {
    const bool upward = becomes(sides.smaller, sides.greater, branch, context);
    if (upward && !sides.smaller->getType()->isFloatingType()) return Gate::kLazy;
    return upward || becomes(sides.greater, sides.smaller, branch, context) ? Gate::kBest : Gate::kNone;
  }
  const auto* binary = dyn_cast<BinaryOperator>(term.expr);
  if (!binary || binary->getOpcode() != (term.positive ? BO_NE : BO_EQ)) return Gate::kNone;
  const bool either = becomes(binary->getLHS(), binary->getRHS(), branch, context) ||
                      becomes(binary->getRHS(), binary->getLHS(), branch, context);
  return either ? Gate::kLazy : Gate::kNone;
}

// getenv("DEBUG"), here or where the constant that is asked comes from.
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

Gate gate_of_term(const Term& term) {
  if (asks_environment(term.expr)) return Gate::kDebug;
  const auto* call = dyn_cast<CallExpr>(term.expr);
  const bool asks = call && call->getNumArgs() == 0;  // is_training()
  if (names(term.expr, kTrain) && (asks || isa<DeclRefExpr, MemberExpr>(term.expr))) {
    return term.positive ? Gate::kNone : Gate::kInference;
  }
  if (!term.positive) return Gate::kNone;
  if (names(term.expr, kValidation)) return Gate::kValidation;
  if (names(term.expr, kInference)) return Gate::kInference;
  if (names(term.expr, kDebug)) return Gate::kDebug;
  return Gate::kNone;
}

Guard guard_of_terms(const std::vector<Term>& terms, const Stmt* branch, const std::vector<LoopAround>& loops,
                     const ASTContext& context) {
  for (const Term& term : terms) {
    if (Guard guard = modulo(term, context); guard.gate != Gate::kNone) return guard;
  }
  for (const Term& term : terms) {
    if (term.conjunct && constant_integer(term.expr, context) == (term.positive ? 0 : 1)) return gated(Gate::kNever);
    if (term.conjunct && is_lazy(term, branch, loops, context)) return gated(Gate::kLazy);
    const Gate gate = term.conjunct ? follows(term, branch, context) : Gate::kNone;
    if (gate != Gate::kNone) return gated(gate);
  }
  for (const Term& term : terms) {
    // `!net.train || l.onlyforward`: each operand of an || may be what lets it through; the named one tells most.
    if (const Gate gate = gate_of_term(term); gate != Gate::kNone) return gated(gate);
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

bool leaves_loop(const Stmt* stmt) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(stmt)) return block->size() && leaves_loop(block->body_back());
  return stmt && (isa<BreakStmt>(stmt) || isa<ReturnStmt>(stmt));
}

Guard classify_guard(const Expr* condition, bool taken, const Stmt* branch, const std::vector<LoopAround>& loops,
                     const ASTContext& context) {
  if (!condition || condition->isValueDependent()) return {};
  condition = strip(condition);
  if (const auto value = constant_truth(condition, context)) return gated(*value == taken ? Gate::kNone : Gate::kNever);
  std::vector<Term> terms;
  split(condition, taken, true, terms);
  for (const Term& term : terms) {
    if (term.conjunct && is_error_test(term, context)) return gated(Gate::kError);
  }
  if (never_returns(branch)) return gated(Gate::kError);
  return guard_of_terms(terms, branch, loops, context);
}

Guard classify_switch(const SwitchStmt* stmt, const ASTContext& context) {
  const auto* rest = dyn_cast<BinaryOperator>(strip(stmt->getCond()));
  if (!rest || rest->getOpcode() != BO_Rem) return {};
  long cases = 0;
  for (const SwitchCase* label = stmt->getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    if (isa<CaseStmt>(label))
      ++cases;
    else if (!isa<BreakStmt, NullStmt>(label->getSubStmt()))
      return {};
  }
  const long period = constant_integer(rest->getRHS(), context).value_or(0);
  return gated(Gate::kModulo, cases > 0 ? period / cases : 0);
}

Guard classify_rest(const Expr* condition, const Stmt* block, const std::vector<LoopAround>& loops,
                    const ASTContext& context) {
  if (!condition || condition->isValueDependent()) return {};
  std::vector<Term> terms;
  split(strip(condition), false, true, terms);
  return guard_of_terms(terms, block, loops, context);
}

}  // namespace syncsniff::facts
