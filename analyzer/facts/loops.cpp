#include "analyzer/facts/loops.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/coroutines.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/set_anew.h"
#include "analyzer/facts/trip_counts.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const Decl* base_decl(const Expr* expr) {
  expr = strip(expr);
  while (expr) {
    if (const auto* r = dyn_cast<DeclRefExpr>(expr)) return r->getDecl();
    if (const auto* m = dyn_cast<MemberExpr>(expr))
      expr = strip(m->getBase());
    else if (const auto* s = dyn_cast<ArraySubscriptExpr>(expr))
      expr = strip(s->getBase());
    else if (const auto* u = dyn_cast<UnaryOperator>(expr))
      expr = strip(u->getSubExpr());
    else if (const auto* o = dyn_cast<CXXOperatorCallExpr>(expr); o && o->getNumArgs())
      expr = strip(o->getArg(0));
    else
      return nullptr;
  }
  return nullptr;
}

// total = total + x, total = max(total, x): the order of the elements does not matter.
bool accumulates(const Assignment& a, const Decl* target) {
  if (a.compound) return true;
  const Expr* right = strip(a.right);
  const std::set<const Decl*> self{target};
  std::vector<const Expr*> operands;
  if (const auto* b = dyn_cast<BinaryOperator>(right); b && (b->isAdditiveOp() || b->isMultiplicativeOp())) {
    operands = {b->getLHS(), b->getRHS()};
  } else if (const auto* call = dyn_cast<CallExpr>(right)) {
    const FunctionDecl* callee = call->getDirectCallee();
    static const std::set<std::string> kCommuting{"max",   "maximum", "min",       "minimum",   "add", "logical_or",
                                                  "fmaxf", "fmax",    "operator+", "operator*", "mul"};
    if (!callee || !kCommuting.count(callee->getDeclName().getAsString())) return false;
    for (const Expr* arg : call->arguments()) operands.push_back(arg);
    if (const auto* m = dyn_cast<CXXMemberCallExpr>(call)) operands.push_back(m->getImplicitObjectArgument());
  }
  for (const Expr* operand : operands) {
    const auto* ref = dyn_cast_or_null<DeclRefExpr>(strip(operand));
    if (ref && ref->getDecl() == target) return true;
  }
  return false;
}

bool plus_minus_constant(const Stmt* stmt, const std::set<const Decl*>& induction) {
  bool found = false;
  for_each_stmt(stmt, [&](const Stmt* s) {
    const auto* b = dyn_cast<BinaryOperator>(s);
    if (!b || !b->isAdditiveOp()) return;
    const auto* ref = dyn_cast_or_null<DeclRefExpr>(strip(b->getLHS()));
    found |= ref && induction.count(ref->getDecl()) && isa<IntegerLiteral>(strip(b->getRHS()));
  });
  return found;
}

// `node` of node->next and node->prev, pointers to the same type; null for anything else.
const VarDecl* node_of_link(const Expr* expr) {
  const auto* link = dyn_cast_or_null<MemberExpr>(strip(expr));
  const auto* reference = link && link->isArrow() ? dyn_cast<DeclRefExpr>(strip(link->getBase())) : nullptr;
  const auto* node = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const bool same = node && link->getType().getCanonicalType().getUnqualifiedType() ==
                                node->getType().getCanonicalType().getUnqualifiedType();
  return same ? node : nullptr;
}

bool looks_at_neighbour(const Stmt* body, const std::set<const Decl*>& induction) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt* s) {
    // node->prev->output
    if (const auto* member = dyn_cast<MemberExpr>(s); member && member->isArrow()) {
      const VarDecl* node = node_of_link(member->getBase());
      found |= node && induction.count(node) != 0;
    }
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(s)) {
      found |= plus_minus_constant(subscript->getIdx(), induction);
    } else if (const auto* b = dyn_cast<BinaryOperator>(s); b && b->isAdditiveOp() && b->getType()->isPointerType()) {
      found |= plus_minus_constant(b->getRHS(), induction);
    } else if (const auto* o = dyn_cast<CXXOperatorCallExpr>(s); o && o->getOperator() == OO_Subscript) {
      found |= plus_minus_constant(o->getArg(1), induction);
    } else if (const auto* m = dyn_cast<CXXMemberCallExpr>(s); m && m->getNumArgs() == 1) {
      const CXXMethodDecl* method = m->getMethodDecl();
      if (method && method->getIdentifier() && method->getName() == "at")
        found |= plus_minus_constant(m->getArg(0), induction);
    }
  });
  return found;
}

// The loop's induction variables, and the whole numbers that its body steps or computes from them: `i = last - j`.
std::set<const Decl*> counters_of(const Stmt* body, const std::set<const Decl*>& induction) {
  std::set<const Decl*> counters = induction;
  for_each_stmt(body, [&](const Stmt* s) {
    const auto* declaration = dyn_cast<DeclStmt>(s);
    const auto* var =
        declaration && declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
    const Expr* init = var && var->getType()->isIntegerType() ? var->getInit() : nullptr;
    const auto* sum = init ? dyn_cast<BinaryOperator>(strip(init)) : nullptr;
    if (sum && sum->isAdditiveOp() && mentions(sum, counters)) counters.insert(var);
  });
  for_each_stmt(body, [&](const Stmt* s) {
    const Decl* stepped = nullptr;
    if (const auto* u = dyn_cast<UnaryOperator>(s); u && u->isIncrementDecrementOp())
      stepped = base_decl(u->getSubExpr());
    else if (const Assignment a = assignment(s); a.left && a.compound)
      stepped = base_decl(a.left);
    const auto* var = dyn_cast_or_null<VarDecl>(stepped);
    if (var && var->getType()->isIntegerType()) counters.insert(var);
  });
  return counters;
}

void collect_induction(const Stmt* loop, LoopScan& scan) {
  const auto modified = [&](const Stmt* in) {
    for_each_stmt(in, [&](const Stmt* s) {
      if (const auto* u = dyn_cast<UnaryOperator>(s); u && u->isIncrementDecrementOp()) {
        if (const Decl* d = base_decl(u->getSubExpr())) scan.induction.insert(d);
      } else if (Assignment a = assignment(s); a.left) {
        if (const Decl* d = base_decl(a.left)) scan.induction.insert(d);
      } else if (const auto* o = dyn_cast<CXXOperatorCallExpr>(s);
                 o && (o->getOperator() == OO_PlusPlus || o->getOperator() == OO_MinusMinus)) {
        if (const Decl* d = base_decl(o->getArg(0))) scan.induction.insert(d);
      }
    });
  };
  if (const auto* f = dyn_cast<ForStmt>(loop)) {
    if (f->getInc())
      modified(f->getInc());
    else if (const auto* init = dyn_cast_or_null<DeclStmt>(f->getInit())) {
      for (const Decl* d : init->decls()) scan.induction.insert(d);
    }
  } else if (const auto* r = dyn_cast<CXXForRangeStmt>(loop)) {
    scan.induction.insert(r->getLoopVariable());
    if (const auto* d = dyn_cast<DecompositionDecl>(r->getLoopVariable())) {
      for (const BindingDecl* b : d->bindings()) scan.induction.insert(b);
    }
  } else {
    // while (i < n) { ... ++i; }: variables that the condition names and the body steps
    const Expr* condition = isa<WhileStmt>(loop) ? cast<WhileStmt>(loop)->getCond() : cast<DoStmt>(loop)->getCond();
    std::set<const Decl*> named;
    for_each_stmt(condition, [&](const Stmt* s) {
      if (const auto* r = dyn_cast<DeclRefExpr>(s)) named.insert(r->getDecl());
    });
    for_each_stmt(body_of_loop(loop), [&](const Stmt* s) {
      const auto* u = dyn_cast<UnaryOperator>(s);
      const Decl* d = u && u->isIncrementDecrementOp() ? base_decl(u->getSubExpr()) : follows_link(s);
      if (d && named.count(d)) scan.induction.insert(d);
    });
  }
}

void spread_varying(const Stmt* body, LoopScan& scan) {
  constexpr int kMostPasses = 16;  // assignments in source order need two
  scan.varying = scan.induction;
  size_t before = 0;
  for (int pass = 0; pass < kMostPasses && before != scan.varying.size(); ++pass) {
    before = scan.varying.size();
    for_each_stmt(body, [&](const Stmt* s) {
      if (const auto* declaration = dyn_cast<DeclStmt>(s)) {
        for (const Decl* d : declaration->decls()) {
          const auto* var = dyn_cast<VarDecl>(d);
          if (var && var->getInit() && mentions(var->getInit(), scan.varying)) scan.varying.insert(var);
        }
      } else if (Assignment a = assignment(s); a.left && mentions(a.right, scan.varying)) {
        const auto* ref = dyn_cast_or_null<DeclRefExpr>(strip(a.left));
        if (ref) scan.varying.insert(ref->getDecl());
      }
    });
  }
}

// How often the body names the variable, not counting assignments to it.
unsigned reads_of(const Decl* target, const Stmt* body) {
  unsigned reads = 0;
  for_each_stmt(body, [&](const Stmt* s) {
    const auto* ref = dyn_cast<DeclRefExpr>(s);
    reads += ref && ref->getDecl() == target;
    const Assignment a = assignment(s);
    const auto* assigned = dyn_cast_or_null<DeclRefExpr>(strip(a.left));
    reads -= assigned && assigned->getDecl() == target && !a.compound;
  });
  return reads;
}

// std::swap(x, y), x.swap(y): the next iteration reads what this one wrote.
bool swaps(const Stmt* stmt, const Stmt* loop, const ASTContext& context) {
  const auto* call = dyn_cast<CallExpr>(stmt);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || callee->getName() != "swap") return false;
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const Expr* one = member ? member->getImplicitObjectArgument() : call->getNumArgs() ? call->getArg(0) : nullptr;
  const auto* field = one ? dyn_cast<MemberExpr>(strip(one)) : nullptr;
  const Decl* decl = field ? field->getMemberDecl() : one ? base_decl(one) : nullptr;
  return decl && !declared_in(decl, loop, context) && !one->getType()->isArithmeticType();
}

// cur ^= 1, cur = 1 - cur, cur = !cur: a number from outside the loop that alternates between two values.
bool toggles(const Stmt* stmt, const Stmt* loop, const Stmt* body, const ASTContext& context) {
  const Assignment a = assignment(stmt);
  const auto* target = a.left ? dyn_cast<DeclRefExpr>(strip(a.left)) : nullptr;
  if (!target || !a.left->getType()->isIntegralOrEnumerationType() || declared_in(target->getDecl(), loop, context))
    return false;
  if (reads_of(target->getDecl(), body) == 0) return false;
  if (const auto* flip = dyn_cast<BinaryOperator>(stmt); flip && flip->getOpcode() == BO_XorAssign) return true;
  if (a.compound) return false;
  const auto names_it = [&](const Expr* expr) {
    const auto* reference = dyn_cast<DeclRefExpr>(strip(expr));
    return reference && reference->getDecl() == target->getDecl();
  };
  if (const auto* no = dyn_cast<UnaryOperator>(strip(a.right)))
    return no->getOpcode() == UO_LNot && names_it(no->getSubExpr());
  const auto* op = dyn_cast<BinaryOperator>(strip(a.right));
  if (!op) return false;
  if (op->getOpcode() == BO_Xor) return names_it(op->getLHS()) || names_it(op->getRHS());
  return op->getOpcode() == BO_Sub && names_it(op->getRHS()) && constant_integer(op->getLHS(), context);
}

// if (first) sum = x; else sum += x: the start of a sum that nothing else in the loop reads. `sum.defined()` only tests
// whether it has begun.
bool starts_sum(const Assignment& a, const Decl* target, const Stmt* body) {
  if (a.compound || mentions(a.right, {target})) return false;
  unsigned sums = 0, asks = 0;
  for_each_stmt(body, [&](const Stmt* s) {
    const Assignment other = assignment(s);
    sums += other.left && base_decl(other.left) == target && accumulates(other, target);
    const auto* call = dyn_cast<CXXMemberCallExpr>(s);
    const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    asks += method && method->getIdentifier() && method->getName() == "defined" &&
            base_decl(call->getImplicitObjectArgument()) == target;
  });
  return sums > 0 && reads_of(target, body) == sums + asks;
}

// std::tie(h, c) = cell(x, h, c), of tensors from outside the loop.
bool ties_what_it_reads(const Assignment& a, const Stmt* loop, const ASTContext& context) {
  const CallExpr* tie = tie_of_variables(a.left);
  return tie && std::any_of(tie->arg_begin(), tie->arg_end(), [&](const Expr* variable) {
           const Decl* target = base_decl(variable);
           const QualType type = variable->getType();
           return target && (is_tensor(type) || is_pack_of_tensors(type)) && !declared_in(target, loop, context) &&
                  mentions(a.right, {target});
         });
}

bool hands_on_a_value(const Stmt* loop, const Stmt* body, const ASTContext& context) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt* s) {
    found |= swaps(s, loop, context) || toggles(s, loop, body, context);
    Assignment a = assignment(s);
    if (!a.left) return;
    found |= ties_what_it_reads(a, loop, context);
    const QualType type = a.left->getType();
    // delta = weights * delta: an object from outside the loop, of whatever class.
    const auto* object = type->isRecordType() && !is_tensor(type) ? dyn_cast<DeclRefExpr>(strip(a.left)) : nullptr;
    if (object && !a.compound && !declared_in(object->getDecl(), loop, context))
      found |= reads_of(object->getDecl(), body) != 0 && !is_assigned_before_use(object->getDecl(), body);
    if ((!type->isPointerType() && !is_tensor(type)) || follows_link(s)) return;
    const Decl* target = base_decl(a.left);
    // t[i] = x writes into t's memory; t stays the same tensor.
    const bool into_view = isa<CallExpr>(strip(a.left)) && !strip(a.left)->isLValue();
    if (!target || into_view || isa<ArraySubscriptExpr>(strip(a.left))) return;
    const bool sums = !type->isPointerType() && (accumulates(a, target) || starts_sum(a, target, body));
    if (!declared_in(target, loop, context) && !sums && !is_assigned_before_use(target, body)) found = true;
  });
  return found;
}

bool is_buffer_like(QualType type, int depth = 0) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType() || is_tensor(type)) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || depth > 1) return false;
  if (record->getIdentifier() && (record->getName() == "OrderedDictItem" || record->getName() == "Item")) return true;
  for (const FieldDecl* field : record->fields()) {
    if (is_buffer_like(field->getType(), depth + 1)) return true;
  }
  return false;
}

}  // namespace

Assignment assignment(const Stmt* stmt) {
  if (const auto* b = dyn_cast<BinaryOperator>(stmt); b && b->isAssignmentOp()) {
    return {b->getLHS(), b->getRHS(), b->isCompoundAssignmentOp()};
  }
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(stmt); o && o->isAssignmentOp() && o->getNumArgs() == 2) {
    return {o->getArg(0), o->getArg(1), o->getOperator() != OO_Equal};
  }
  return {};
}

const Expr* assigned_to(const ValueDecl* variable, const Stmt* stmt) {
  if (!stmt) return nullptr;
  if (const Assignment a = assignment(stmt); a.left && !a.compound && named_decl(a.left) == variable) return a.right;
  for (const Stmt* child : stmt->children())
    if (const Expr* found = assigned_to(variable, child)) return found;
  return nullptr;
}

const VarDecl* follows_link(const Stmt* stmt) {
  const Assignment a = assignment(stmt);
  const auto* node = a.left && !a.compound ? dyn_cast<DeclRefExpr>(strip(a.left)) : nullptr;
  const VarDecl* from = node ? node_of_link(a.right) : nullptr;
  return from && from == node->getDecl() ? from : nullptr;
}

LoopScan scan_of_elements(const FunctionDecl* each, const ASTContext& context) {
  LoopScan scan;
  const ParmVarDecl* element = each->getParamDecl(0);
  scan.induction = {element};
  spread_varying(each->getBody(), scan);
  scan.carries_value = hands_on_a_value(each->getBody(), each->getBody(), context);
  scan.neighbour_index = looks_at_neighbour(each->getBody(), counters_of(each->getBody(), scan.induction));
  scan.over_tensors = is_buffer_like(element->getType());
  return scan;
}

std::set<const Decl*> computed_from(const ParmVarDecl* parameter, const Stmt* body) {
  LoopScan scan;
  scan.induction.insert(parameter);
  spread_varying(body, scan);
  return scan.varying;
}

std::set<const Decl*> picked_from(const ParmVarDecl* parameter, const Stmt* body) {
  if (looks_at_neighbour(body, counters_of(body, {parameter}))) return {};
  return computed_from(parameter, body);
}

bool mentions(const Stmt* stmt, const std::set<const Decl*>& decls) {
  bool found = false;
  for_each_stmt(stmt, [&](const Stmt* s) {
    if (const auto* r = dyn_cast<DeclRefExpr>(s)) found |= decls.count(r->getDecl()) != 0;
  });
  return found;
}

const Expr* condition_of_loop(const Stmt* loop) {
  if (const auto* f = dyn_cast<ForStmt>(loop)) return f->getCond();
  if (const auto* w = dyn_cast<WhileStmt>(loop)) return w->getCond();
  const auto* d = dyn_cast<DoStmt>(loop);
  return d ? d->getCond() : nullptr;
}

const Stmt* body_of_loop(const Stmt* loop) {
  if (const auto* f = dyn_cast<ForStmt>(loop)) return f->getBody();
  if (const auto* w = dyn_cast<WhileStmt>(loop)) return w->getBody();
  if (const auto* d = dyn_cast<DoStmt>(loop)) return d->getBody();
  if (const auto* r = dyn_cast<CXXForRangeStmt>(loop)) return r->getBody();
  return nullptr;
}

bool declared_in(const Decl* decl, const Stmt* stmt, const ASTContext& context) {
  const SourceManager& sm = context.getSourceManager();
  return sm.isPointWithin(sm.getFileLoc(decl->getLocation()), sm.getFileLoc(stmt->getBeginLoc()),
                          sm.getFileLoc(stmt->getEndLoc()));
}

bool runs_once(const Stmt* loop, const ASTContext& context) {
  const auto* d = dyn_cast<DoStmt>(loop);
  bool value = true;
  return d && !d->getCond()->isValueDependent() && d->getCond()->EvaluateAsBooleanCondition(value, context) && !value;
}

static bool adds_element(StringRef method) {
  return llvm::is_contained({"push_back", "emplace_back", "push_front", "emplace_front"}, method);
}

// list.back(), list[i - 1], *list.rbegin(): the iteration may read what an earlier one has added.
static bool is_read(const ValueDecl* list, const Stmt* body) {
  int named = 0, harmless = 0;
  for_each_stmt(body, [&](const Stmt* s) {
    if (isa<DeclRefExpr, MemberExpr>(s)) named += named_decl(cast<Expr>(s)) == list;
    const auto* call = dyn_cast<CXXMemberCallExpr>(s);
    const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    if (!method || !method->getIdentifier() || named_decl(call->getImplicitObjectArgument()) != list) return;
    const StringRef name = method->getName();
    harmless += adds_element(name) || name == "reserve" || name == "size";
  });
  return named > harmless;
}

// auto part = make(); fill(part); parts.push_back(part);
static void find_kept(const Stmt* body, LoopScan& scan, const ASTContext& context) {
  for_each_stmt(body, [&](const Stmt* s) {
    const auto* call = dyn_cast<CXXMemberCallExpr>(s);
    const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    if (!method || !method->getIdentifier() || call->getNumArgs() == 0 || !adds_element(method->getName())) return;
    const ValueDecl* list = named_decl(call->getImplicitObjectArgument());
    if (!list || declared_in(list, body, context) || is_read(list, body)) return;
    const Expr* element = strip(call->getArg(0));
    if (const auto* moved = dyn_cast<CallExpr>(element); moved && moved->getNumArgs() == 1 && moved->isCallToStdMove())
      element = strip(moved->getArg(0));
    const auto* named = dyn_cast<DeclRefExpr>(element);
    if (named && may_hold_pointer(named->getType()) && declared_in(named->getDecl(), body, context))
      scan.kept.insert(named->getDecl());
  });
}

LoopScan scan_loop(const Stmt* loop, const ASTContext& context, const Writes& writes) {
  LoopScan scan;
  const Stmt* body = body_of_loop(loop);
  collect_induction(loop, scan);
  spread_varying(body, scan);
  find_kept(body, scan, context);
  scan.carries_value = hands_on_a_value(loop, body, context);
  scan.unit_step = counts_by_one(loop);
  scan.trips = constant_trips(loop, context, &writes);
  scan.multiplies = multiplies(loop, context);
  scan.over_dimension = counts_dimension(loop);
  scan.neighbour_index = looks_at_neighbour(body, counters_of(body, scan.induction));
  if (const auto* r = dyn_cast<CXXForRangeStmt>(loop)) {
    if (r->getRangeInit()) scan.collection = source_text(r->getRangeInit()->getSourceRange(), context, 80);
    const bool is_list = !r->getRangeInit() || !is_coroutine(r->getRangeInit()->getType());
    scan.over_tensors = is_list && is_buffer_like(r->getLoopVariable()->getType());
  }
  if (const Expr* object = iterated_object(loop)) scan.collection = source_text(object->getSourceRange(), context, 80);
  const Expr* condition = nullptr;
  if (const auto* f = dyn_cast<ForStmt>(loop)) condition = f->getCond();
  if (const auto* w = dyn_cast<WhileStmt>(loop)) condition = w->getCond();
  bool value = false;
  scan.forever = isa<ForStmt>(loop) && !condition;
  if (condition && !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(value, context)) {
    scan.forever = value;
  }
  return scan;
}

}  // namespace syncsniff::facts
