#include "analyzer/facts/log_messages.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_of_project(const FunctionDecl* callee, const ASTContext& context) {
  const FunctionDecl* defined = nullptr;
  return callee->hasBody(defined) && !context.getSourceManager().isInSystemHeader(defined->getLocation());
}

// Whether the branch may change something that is still there after it: it assigns to a variable from outside.
bool changes_what_stays(const Stmt* branch, const ASTContext& context) {
  bool changes = false;
  for_each_stmt(branch, [&](const Stmt* stmt) {
    const Expr* target = assignment(stmt).left;
    if (const auto* unary = dyn_cast<UnaryOperator>(stmt); unary && unary->isIncrementDecrementOp())
      target = unary->getSubExpr();
    if (!target) return;
    const ValueDecl* decl = named_decl(target);
    changes |= !decl || !declared_in(decl, branch, context);
  });
  return changes;
}

bool writes_to_stream(const Stmt* stmt) {
  bool writes = false;
  for_each_expr(stmt, [&](const Expr* e) {
    const auto* call = dyn_cast<CXXOperatorCallExpr>(e);
    writes |= call && call->getOperator() == OO_LessLess;
  });
  return writes;
}

// Whether the statement declares variables, writes to streams, or calls code that is not of the project.
bool is_message(const Stmt* stmt, const ASTContext& context) {
  if (!stmt || isa<NullStmt, DeclStmt>(stmt)) return true;
  if (isa<CompoundStmt, IfStmt>(stmt) || (isa<DoStmt>(stmt) && runs_once(stmt, context)))
    return std::ranges::all_of(stmt->children(), [&](const Stmt* child) { return is_message(child, context); });
  const auto* expr = dyn_cast<Expr>(stmt);
  if (!expr || isa<CUDAKernelCallExpr>(expr)) return false;
  expr = strip(expr);
  if (isa<CXXOperatorCallExpr>(expr)) return writes_to_stream(expr);
  const auto* call = dyn_cast<CallExpr>(expr);
  if (!call)
    return expr->getType()->isArithmeticType() || expr->getType()->isVoidType();  // the condition of an inner if
  const FunctionDecl* callee = call->getDirectCallee();
  return callee && !is_of_project(callee, context);
}

}  // namespace

bool is_wanted_message(const Term& term, const Stmt* branch, const ASTContext& context) {
  const auto* call = dyn_cast<CallExpr>(strip(term.expr));
  const FunctionDecl* callee = call && !isa<CXXOperatorCallExpr>(call) ? call->getDirectCallee() : nullptr;
  if (!callee || !term.positive || !term.conjunct || is_of_project(callee, context)) return false;
  return branch && writes_to_stream(branch) && is_message(branch, context) && !changes_what_stays(branch, context);
}

}  // namespace syncsniff::facts
