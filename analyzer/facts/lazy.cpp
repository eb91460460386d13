#include "analyzer/facts/lazy.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// `bool first = true;` in the body of a loop: whatever its name says, it is initialized again in each iteration.
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

// void step(std::optional<Tensor> out) { if (!out) ...; }: what the branch makes is lost when the call returns, and the
// next call begins with its caller's argument. In a loop of the function the parameter keeps its value across
// iterations.
bool begins_anew_each_call(const Expr* expr, const std::vector<LoopAround>& loops) {
  const auto* parameter = dyn_cast_or_null<ParmVarDecl>(named_decl(expr));
  if (!parameter) return false;
  const QualType type = parameter->getType();
  if (type->isReferenceType()) return type.getNonReferenceType().isConstQualified();
  return loops.empty();
}

// The variable that contains an element, or a field of an element.
const ValueDecl* variable_with(const Expr* expr) {
  for (expr = strip(expr); expr;) {
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = strip(element->getBase());
    else if (const auto* member = dyn_cast<MemberExpr>(expr))
      expr = strip(member->getBase());
    else
      break;
  }
  return named_decl(expr);
}

bool names_declaration(const Expr* expr, const ValueDecl* decl) {
  bool found = false;
  for_each_expr(expr, [&](const Expr* e) { found |= named_decl(e) == decl; });
  return found;
}

// A method call on this object, or a call that passes this object.
bool gets_this(const CallExpr* call) {
  const auto is_this = [](const Expr* expr) { return isa<CXXThisExpr>(without_star(expr)); };
  const auto* method = dyn_cast<CXXMemberCallExpr>(call);
  return (method && is_this(method->getImplicitObjectArgument())) ||
         std::any_of(call->arg_begin(), call->arg_end(), is_this);
}

// Whether the branch may change the variable or field: it uses it other than by reading, or calls code that is not
// visible. A parameter or local variable that it only reads has the same value next time.
bool may_change(const Expr* expr, const Stmt* branch) {
  const ValueDecl* decl = named_decl(expr);
  if (!decl || !branch) return true;
  const auto* var = dyn_cast<VarDecl>(decl);
  const auto* field = dyn_cast<MemberExpr>(strip(expr));
  const bool own = field && isa<CXXThisExpr>(strip(field->getBase()));
  const ValueDecl* object = field && !own ? variable_with(field->getBase()) : nullptr;
  const bool hidden = own || (var && var->hasGlobalStorage());
  bool changes = false;
  std::vector<const Stmt*> open{branch};
  while (!open.empty() && !changes) {
    const Stmt* stmt = open.back();
    open.pop_back();
    if (!stmt) continue;
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(stmt);
        cast && cast->getCastKind() == CK_LValueToRValue && named_decl(cast->getSubExpr()) == decl)
      continue;
    const auto* named = dyn_cast<Expr>(stmt);
    changes |= named && isa<DeclRefExpr, MemberExpr>(named) && named_decl(named) == decl;
    const auto* call = dyn_cast<CallExpr>(stmt);
    changes |= hidden && call && !isa<CUDAKernelCallExpr>(call) && (!own || gets_this(call));
    // config->resize: any call that gets the object may change the field.
    if (call && field && !own) changes |= object == nullptr || names_declaration(call, object);
    open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return changes;
}

// The subscript `container[key]`; null for anything else.
const CXXOperatorCallExpr* element_of(const ValueDecl* container, const Stmt* stmt) {
  const auto* op = dyn_cast_or_null<CXXOperatorCallExpr>(stmt);
  return op && op->getOperator() == OO_Subscript && named_decl(op->getArg(0)) == container ? op : nullptr;
}

// The vector or array of which `expr` is an element and that outlives the call; null for anything else.
const ValueDecl* element_container(const Expr* expr) {
  const auto* element = dyn_cast<CXXOperatorCallExpr>(strip(expr));
  if (!element || element->getOperator() != OO_Subscript) return nullptr;
  const ValueDecl* container = named_decl(element->getArg(0));
  const auto* var = dyn_cast_or_null<VarDecl>(container);
  return var && var->hasLocalStorage() && !var->getType()->isReferenceType() ? nullptr : container;
}

// Whether both keys may be equal: they name one variable, are the same literal, or are computed.
bool may_be_one_key(const Expr* a, const Expr* b) {
  a = a->IgnoreUnlessSpelledInSource(), b = b->IgnoreUnlessSpelledInSource();
  const auto* text = dyn_cast<StringLiteral>(a);
  const auto* other = dyn_cast<StringLiteral>(b);
  if (text || other) return text && other && text->getBytes() == other->getBytes();
  const auto* number = dyn_cast<IntegerLiteral>(a);
  const auto* other_number = dyn_cast<IntegerLiteral>(b);
  if (number && other_number) return number->getValue() == other_number->getValue();
  const ValueDecl *first = named_decl(a), *second = named_decl(b);
  return !first || !second || first == second;
}

// cache[key] = x, cache.emplace(key, x). If the key that was looked up is unknown, a subscript does not count, since it
// may be a read.
bool puts_into(const ValueDecl* container, const Expr* key, const Stmt* branch) {
  if (!container || !branch) return false;
  if (const auto* element = element_of(container, branch)) return key && may_be_one_key(key, element->getArg(1));
  if (const auto* set = dyn_cast<BinaryOperator>(branch); set && set->isAssignmentOp() && !key)
    if (element_of(container, strip(set->getLHS()))) return true;
  if (const auto* set = dyn_cast<CXXOperatorCallExpr>(branch); set && set->isAssignmentOp() && !key)
    if (element_of(container, strip(set->getArg(0)))) return true;
  const auto* call = dyn_cast<CXXMemberCallExpr>(branch);
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  if (method && method->getIdentifier() && named_decl(call->getImplicitObjectArgument()) == container &&
      llvm::is_contained({"insert", "insert_or_assign", "emplace", "emplace_hint", "try_emplace"}, method->getName()))
    return true;
  return std::any_of(branch->child_begin(), branch->child_end(),
                     [&](const Stmt* child) { return puts_into(container, key, child); });
}

// it == cache.end(), cache.count(key) == 0, !cache.contains(key): once for each key.
bool is_absent(const Term& term, const Stmt* branch, const ASTContext& context) {
  const auto asks = [&](const Expr* expr, std::initializer_list<StringRef> names) {
    const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(strip(expr));
    const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    if (!method || !method->getIdentifier() || !llvm::is_contained(names, method->getName())) return false;
    const Expr* key = call->getNumArgs() == 1 ? call->getArg(0) : nullptr;
    return puts_into(named_decl(call->getImplicitObjectArgument()), key, branch);
  };
  const auto test = equality(term.expr);
  if (!test) return !term.positive && asks(term.expr, {"contains", "count"});
  if (test->equal != term.positive) return false;
  if (asks(test->left, {"count"})) return constant_integer(test->right, context) == 0;
  return asks(test->left, {"end", "cend"}) || asks(test->right, {"end", "cend"});
}

// if (!made[i]) { ...; made[i] = 1; } with an array that outlives the call: once for each element.
bool marks_element(const Term& term, const Stmt* branch, const ASTContext& context) {
  const auto* tested = term.positive ? nullptr : dyn_cast<ArraySubscriptExpr>(term.expr);
  const ValueDecl* array = tested ? named_decl(tested->getBase()) : nullptr;
  const auto* var = dyn_cast_or_null<VarDecl>(array);
  if (!array || (var && !var->hasGlobalStorage())) return false;
  const auto marks = [&](const auto& self, const Stmt* stmt) -> bool {
    if (!stmt) return false;
    const auto* set = dyn_cast<BinaryOperator>(stmt);
    const auto* element =
        set && set->getOpcode() == BO_Assign ? dyn_cast<ArraySubscriptExpr>(strip(set->getLHS())) : nullptr;
    if (element && named_decl(element->getBase()) == array && constant_integer(set->getRHS(), context).value_or(0) != 0)
      return true;
    return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  return marks(marks, branch);
}

// grow(need), where grow(size_t n) { ...; have = n; }
bool passes_on(const CallExpr* call, const ValueDecl* to, const ValueDecl* from) {
  const FunctionDecl* callee = call->getDirectCallee();
  const FunctionDecl* defined = callee ? callee->getDefinition() : nullptr;
  if (!defined || !defined->getBody() || isa<CXXOperatorCallExpr>(call) || !isa<FieldDecl>(to)) return false;
  for (unsigned i = 0; i < call->getNumArgs() && i < defined->getNumParams(); ++i) {
    if (!names_declaration(call->getArg(i), from)) continue;
    const Expr* given = assigned_to(to, defined->getBody());
    if (given && names_declaration(given, defined->getParamDecl(i))) return true;
  }
  return false;
}

struct Element {
  const Expr *base = nullptr, *index = nullptr;
};

// `have[device]`, of an array or a container.
Element element(const Expr* expr) {
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expr)) return {subscript->getBase(), subscript->getIdx()};
  const auto* op = dyn_cast<CXXOperatorCallExpr>(expr);
  return op && op->getOperator() == OO_Subscript ? Element{op->getArg(0), op->getArg(1)} : Element{};
}

// Whether both are the same variable that holds a number across calls: `have`, `*have`, `have[device]`.
bool is_one_keeper(const Expr* a, const Expr* b) {
  a = strip(without_star(a)), b = strip(without_star(b));
  const Element first = element(a), second = element(b);
  if ((first.index == nullptr) != (second.index == nullptr)) return false;
  if (first.index) return may_be_one_key(first.index, second.index) && is_one_keeper(first.base, second.base);
  return named_decl(a) && named_decl(a) == named_decl(b);
}

// `have = need`, `have = round_up(need)` somewhere in the branch, or in a function that it calls.
bool is_assigned_from(const Expr* have, const Expr* need, const Stmt* branch, const ASTContext& context) {
  const ValueDecl* to = named_decl(without_star(have));
  const ValueDecl* from = named_decl(need);
  if (!branch) return false;
  const auto assigns = [&](const auto& self, const Stmt* stmt) -> bool {
    if (!stmt) return false;
    const auto* a = dyn_cast<BinaryOperator>(stmt);
    if (a && a->getOpcode() == BO_Assign && is_one_keeper(a->getLHS(), have) &&
        (from ? names_declaration(a->getRHS(), from) : !constant_integer(a->getRHS(), context))) {
      return true;
    }
    if (const auto* call = dyn_cast<CallExpr>(stmt); call && to && from && passes_on(call, to, from)) return true;
    return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  return assigns(assigns, branch);
}

// The variable or field on which one of these methods is called: `x` of x.device().
const ValueDecl* object_of_call(const Expr* expr, std::initializer_list<StringRef> methods) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(strip(expr));
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || !llvm::is_contained(methods, method->getName())) return nullptr;
  return named_decl(call->getImplicitObjectArgument());
}

// `buffer` of buffer.size(), tensor.numel(), tensor.size(0), matrix->rows, if it outlives the call.
const ValueDecl* object_of_size(const Expr* expr) {
  const auto* field = dyn_cast<MemberExpr>(strip(expr));
  const bool of_object = field && field->getType()->isIntegerType() && !isa<CXXThisExpr>(strip(field->getBase()));
  const ValueDecl* object =
      of_object ? named_decl(field->getBase()) : object_of_call(expr, {"size", "capacity", "numel", "length"});
  const auto* var = dyn_cast_or_null<VarDecl>(object);
  const bool ends_with_call = var && var->hasLocalStorage() && !var->getType()->isReferenceType();
  return ends_with_call ? nullptr : object;
}

// buffer.resize(need), buffer.reserve(need), buffer = Buffer(need) somewhere in the branch.
bool is_resized(const ValueDecl* buffer, const ValueDecl* need, const Stmt* branch) {
  if (!branch) return false;
  const auto uses_need = [&](const Expr* arg) { return names_declaration(arg, need); };
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(branch)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    if (method && method->getIdentifier() && named_decl(call->getImplicitObjectArgument()) == buffer &&
        llvm::is_contained({"resize", "reserve", "assign", "resize_"}, method->getName()) &&
        std::any_of(call->arg_begin(), call->arg_end(), uses_need))
      return true;
  }
  const auto* expr = dyn_cast<Expr>(branch);
  if (const Assignment a = expr ? assignment(expr) : Assignment{};
      a.left && !a.compound && named_decl(a.left) == buffer && a.right && uses_need(a.right))
    return true;
  return std::any_of(branch->child_begin(), branch->child_end(),
                     [&](const Stmt* child) { return is_resized(buffer, need, child); });
}

// Whether `have` is the size of a buffer that the branch resizes to `need`.
bool grows_to(const Expr* have, const Expr* need, const Stmt* branch) {
  const ValueDecl* buffer = object_of_size(have);
  const ValueDecl* wanted = named_decl(need);
  return buffer && wanted && is_resized(buffer, wanted, branch);
}

// if (x.device() != window.device()) window = window.to(x.device()): the next time both are on one device.
bool moves_where_it_differs(const Term& term, const Stmt* branch) {
  const auto test = equality(term.expr);
  if (!test || isa<BinaryOperator>(term.expr) || test->equal == term.positive) return false;
  const auto keeps = [&](const Expr* side) {
    const ValueDecl* tensor = object_of_call(side, {"device"});
    const auto* var = dyn_cast_or_null<VarDecl>(tensor);
    return tensor && (!var || var->hasGlobalStorage()) && assigned_to(tensor, branch);
  };
  return keeps(test->left) || keeps(test->right);
}

}  // namespace

bool is_lazy(const Term& term, const Stmt* branch, const std::vector<LoopAround>& loops, const ASTContext& context) {
  const Expr* expr = term.expr;
  const auto is_made = [&](const Expr* kept) {
    return may_change(kept, branch) && !begins_anew_each_call(kept, loops);
  };
  if (moves_where_it_differs(term, branch)) return true;
  if (const Expr* holder = empty_holder(term)) return is_made(holder);
  if (is_absent(term, branch, context) || marks_element(term, branch, context)) return true;
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isEqualityOp()) {
    const Expr* left = strip(binary->getLHS());
    const Expr* right = strip(binary->getRHS());
    const bool null_left = is_null(left, right, context);
    const bool null_right = !null_left && is_null(right, left, context);
    const bool absent = (null_left || null_right) && (binary->getOpcode() == BO_EQ) == term.positive;
    return absent && is_made(null_left ? right : left);
  }
  if (expr->getType()->isPointerType() && !term.positive) return is_made(expr);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expr)) {
    const auto* method = call->getMethodDecl();
    if (method && method->getIdentifier() && (method->getName() == "defined" || method->getName() == "has_value")) {
      return !term.positive && is_made(strip(call->getImplicitObjectArgument()));
    }
  }
  return false;
}

bool may_turn(const Expr* flag, const Stmt* branch, const std::vector<LoopAround>& loops, const ASTContext& context) {
  // A field of another object that the branch does not change is an option.
  return !begins_anew(flag, loops, context) && (isa<DeclRefExpr>(flag) || may_change(flag, branch));
}

// fits(need), where bool fits(size_t n) const { return n <= have; }: both sides of the comparison, as the caller names
// them.
static Comparison compared_by_call(const Expr* expr, bool positive) {
  const auto* call = dyn_cast<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const FunctionDecl* defined = callee && !isa<CXXOperatorCallExpr>(call) ? callee->getDefinition() : nullptr;
  const auto* body = defined ? dyn_cast_or_null<CompoundStmt>(defined->getBody()) : nullptr;
  const auto* answer = body && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
  if (!answer || !answer->getRetValue()) return {};
  Comparison sides = compared(answer->getRetValue(), positive);
  if (!sides.greater) return {};
  for (const Expr** side : {&sides.greater, &sides.smaller}) {
    const auto* parameter = dyn_cast_or_null<ParmVarDecl>(named_decl(*side));
    if (!parameter) continue;
    if (parameter->getFunctionScopeIndex() >= call->getNumArgs()) return {};
    *side = strip(call->getArg(parameter->getFunctionScopeIndex()));
  }
  return sides;
}

Gate follows(const Term& term, const Stmt* branch, const ASTContext& context) {
  Comparison sides = compared(term.expr, term.positive);
  if (!sides.greater) sides = compared_by_call(term.expr, term.positive);
  if (sides.greater) {
    const bool upward = is_assigned_from(sides.smaller, sides.greater, branch, context) ||
                        grows_to(sides.smaller, sides.greater, branch);
    if (upward && !sides.smaller->getType()->isFloatingType()) return Gate::kLazy;
    // if (n <= 0) return; ...; n = count(): a number compared with a constant is no best value so far.
    const bool downward =
        !constant_integer(sides.smaller, context) && is_assigned_from(sides.greater, sides.smaller, branch, context);
    return upward || downward ? Gate::kBest : Gate::kNone;
  }
  const auto* binary = dyn_cast<BinaryOperator>(term.expr);
  if (!binary || binary->getOpcode() != (term.positive ? BO_NE : BO_EQ)) return Gate::kNone;
  // if (in == NULL) continue; ...; in = NULL: a local pointer is set again in each iteration. A field that is freed and
  // cleared stays null until some function allocates again.
  const Expr *left = strip(binary->getLHS()), *right = strip(binary->getRHS());
  const bool null_left = is_null(left, right, context);
  if (null_left || is_null(right, left, context)) {
    const auto* var = dyn_cast_or_null<VarDecl>(named_decl(null_left ? right : left));
    if (var && var->hasLocalStorage()) return Gate::kNone;
  }
  // if (n == 0) return; ...; n = count(): comparing with a constant does not keep a size up to date.
  if (constant_integer(binary->getLHS(), context) || constant_integer(binary->getRHS(), context)) return Gate::kNone;
  // if (sizes_[i] != need(i)) { ...; sizes_[i] = need(i); }
  const bool stored =
      puts_into(element_container(left), nullptr, branch) || puts_into(element_container(right), nullptr, branch);
  const bool either = stored || is_assigned_from(binary->getLHS(), binary->getRHS(), branch, context) ||
                      is_assigned_from(binary->getRHS(), binary->getLHS(), branch, context) ||
                      grows_to(binary->getLHS(), binary->getRHS(), branch) ||
                      grows_to(binary->getRHS(), binary->getLHS(), branch);
  return either ? Gate::kLazy : Gate::kNone;
}

// The counter of `*sharers`, the shared pointer of `data.use_count()`.
static const ValueDecl* holder_of_count(const Expr* count) {
  const auto* read = dyn_cast<UnaryOperator>(strip(count));
  if (read && read->getOpcode() == UO_Deref) return named_decl(read->getSubExpr());
  return object_of_call(count, {"use_count"});
}

bool ends_sharing(const Term& term, const Stmt* branch, const ASTContext& context) {
  const Comparison sides = compared(term.expr, term.positive);
  if (!sides.greater || !branch || constant_integer(sides.smaller, context).value_or(0) < 1) return false;
  const ValueDecl* holder = holder_of_count(sides.greater);
  if (!holder) return false;
  const auto is_made = [&](const Stmt* stmt) {
    const Expr* given = assigned_to(holder, stmt);
    return given && isa<CXXNewExpr, CallExpr>(strip(given));
  };
  bool made = is_made(branch);
  for_each_expr(branch, [&](const Expr* e) {
    const auto* call = dyn_cast<CallExpr>(e);
    const FunctionDecl* callee = call && isa<FieldDecl>(holder) ? call->getDirectCallee() : nullptr;
    const FunctionDecl* defined = callee ? callee->getDefinition() : nullptr;
    made |= defined && is_made(defined->getBody());
  });
  return made;
}

}  // namespace syncsniff::facts
