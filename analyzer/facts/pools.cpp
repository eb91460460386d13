#include "analyzer/facts/pools.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_loop(const Stmt* stmt) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt); }

// Whether the object outlives the call: a field, a global or a static variable, or what a local reference to an element
// of one refers to.
bool is_kept(const Expr* expr, int depth = 0) {
  for (expr = expr ? strip(expr) : nullptr; expr;) {
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr)) {
      expr = strip(element->getBase());
    } else if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr);
               op &&
               (op->getOperator() == OO_Subscript || op->getOperator() == OO_Star || op->getOperator() == OO_Arrow)) {
      expr = strip(op->getArg(0));
    } else if (const auto* member = dyn_cast<MemberExpr>(expr)) {
      if (isa<CXXThisExpr>(strip(member->getBase()))) return true;
      expr = strip(member->getBase());
    } else {
      break;
    }
  }
  const auto* var = dyn_cast_or_null<VarDecl>(expr ? named_decl(expr) : nullptr);
  if (!var || depth > 3) return false;
  if (var->hasGlobalStorage()) return true;
  return var->getType()->isReferenceType() && var->getInit() && is_kept(var->getInit(), depth + 1);
}

// Whether `base` is the variable of a range loop over a container that outlives the call.
bool is_element_of_kept(const Expr* base, const std::vector<const Stmt*>& loops) {
  const ValueDecl* variable = named_decl(strip(base));
  return variable && std::any_of(loops.begin(), loops.end(), [&](const Stmt* loop) {
           const auto* range = dyn_cast<CXXForRangeStmt>(loop);
           return range && range->getLoopVariable() == variable && variable->getType()->isReferenceType() &&
                  is_kept(range->getRangeInit());
         });
}

// kept_.erase(it), blocks_[i].taken = true, and for (Block& b : blocks_) b.taken = true.
bool takes_out(const Stmt* stmt, const std::vector<const Stmt*>& loops) {
  if (!stmt) return false;
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(stmt)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const bool removes = method && method->getIdentifier() &&
                         llvm::is_contained({"erase", "extract", "pop_back", "pop_front", "pop"}, method->getName());
    if (removes && is_kept(call->getImplicitObjectArgument())) return true;
  }
  if (const auto* set = dyn_cast<BinaryOperator>(stmt); set && set->getOpcode() == BO_Assign) {
    const Expr* target = strip(set->getLHS());
    const auto* member = dyn_cast<MemberExpr>(target);
    if (member && !isa<CXXThisExpr>(strip(member->getBase())) &&
        (is_kept(member->getBase()) || is_element_of_kept(member->getBase(), loops)))
      return true;
    if (isa<ArraySubscriptExpr>(target) && is_kept(target)) return true;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return takes_out(child, loops); });
}

// cache.emplace(n, nullptr): a call that returns where the entry is, and whether it is new.
bool adds_entry(const Expr* expr) {
  const auto* call = expr ? dyn_cast<CXXMemberCallExpr>(strip(expr)) : nullptr;
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && method->getParent()->isInStdNamespace() &&
         llvm::is_contained({"emplace", "try_emplace", "insert"}, method->getName());
}

struct FlagSearch {
  const VarDecl* found;
  const ASTContext& context;
  bool hits = false, elsewhere = false;  // set in a loop that also takes an element out; set in any other way
  std::vector<const Stmt*> loops;

  void look(const Stmt* stmt, const Stmt* block) {
    if (!stmt || isa<LambdaExpr>(stmt)) return;
    if (const auto* set = dyn_cast<BinaryOperator>(stmt); set && set->isAssignmentOp()) {
      if (named_decl(set->getLHS()) == found) {
        const bool turns = set->getOpcode() == BO_Assign && constant_integer(set->getRHS(), context).value_or(0) != 0;
        const bool hit = turns && !loops.empty() && block && takes_out(block, loops);
        (hit ? hits : elsewhere) = true;
      }
    }
    const bool loop = is_loop(stmt);
    if (loop) loops.push_back(stmt);
    for (const Stmt* child : stmt->children()) look(child, isa<CompoundStmt>(stmt) ? stmt : block);
    if (loop) loops.pop_back();
  }
};

}  // namespace

bool makes_new_entry(const Term& term, const Stmt* branch) {
  if (!term.positive || !branch) return false;
  const Expr* expr = strip(term.expr);
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    const auto* pair = dyn_cast_or_null<VarDecl>(named_decl(member->getBase()));
    return pair && member->getMemberDecl()->getName() == "second" && adds_entry(pair->getInit()) &&
           mentions(branch, {pair});
  }
  const auto* reference = dyn_cast<DeclRefExpr>(expr);
  const auto* fresh = reference ? dyn_cast<BindingDecl>(reference->getDecl()) : nullptr;
  const auto* pair = fresh ? dyn_cast<DecompositionDecl>(fresh->getDecomposedDecl()) : nullptr;
  return pair && pair->bindings().size() == 2 && pair->bindings()[1] == fresh && adds_entry(pair->getInit()) &&
         mentions(branch, {pair->bindings()[0]});
}

bool is_pool_miss(const Term& term, const ASTContext& context) {
  const auto* reference = term.positive ? nullptr : dyn_cast<DeclRefExpr>(term.expr);
  const auto* found = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!found || !found->isLocalVarDecl() || found->isStaticLocal() || !found->getInit()) return false;
  if (!found->getType()->isIntegerType() || constant_integer(found->getInit(), context) != 0) return false;
  const auto* function = dyn_cast<FunctionDecl>(found->getDeclContext());
  if (!function || !function->getBody()) return false;
  FlagSearch search{found, context, false, false, {}};
  search.look(function->getBody(), nullptr);
  return search.hits && !search.elsewhere;
}

}  // namespace syncsniff::facts
