#include "analyzer/facts/ending_flags.h"

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/guards.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Whether the condition is `outcome` whenever the flag is `value`.
bool decides(const ValueDecl* flag, bool value, const Expr* condition, bool outcome, const ASTContext& context) {
  const Expr* expr = strip(condition);
  if (!expr) return false;
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
    return decides(flag, value, unary->getSubExpr(), !outcome, context);
  if (const auto* binary = dyn_cast<BinaryOperator>(expr)) {
    if (binary->isLogicalOp())
      return (binary->getOpcode() == BO_LOr) == outcome && (decides(flag, value, binary->getLHS(), outcome, context) ||
                                                            decides(flag, value, binary->getRHS(), outcome, context));
    const auto test = flag_test(binary, context);
    return test && decides(flag, value, test->flag, test->value == outcome, context);
  }
  const auto* call = dyn_cast<CallExpr>(expr);
  return (value_read(expr) == flag || (call && call->getDirectCallee() == flag)) && value == outcome;
}

std::vector<const ValueDecl*> shared_flags_in(const Expr* condition) {
  std::vector<const ValueDecl*> out;
  for_each_expr(condition, [&](const Expr* expr) {
    const auto* call = dyn_cast<CallExpr>(expr);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const ValueDecl* read = callee && callee->getReturnType()->isBooleanType() ? callee : value_read(expr);
    if ((is_shared_flag(read) || read == callee) && read && !llvm::is_contained(out, read)) out.push_back(read);
  });
  return out;
}

// A statement of the loop's own body that leaves the loop whenever the flag is `value`.
const Stmt* exit_by(const ValueDecl* flag, bool value, const Stmt* loop, const ASTContext& context) {
  const auto* body = dyn_cast_or_null<CompoundStmt>(body_of_loop(loop));
  if (!body) return nullptr;
  const auto found = std::find_if(body->body_begin(), body->body_end(), [&](const Stmt* child) {
    const auto* test = dyn_cast<IfStmt>(child);
    return test && leaves_loop(test->getThen()) && decides(flag, value, test->getCond(), true, context);
  });
  return found == body->body_end() ? nullptr : *found;
}

}  // namespace

static std::string flag_node_of(const ValueDecl* flag) {
  const auto* function = dyn_cast<FunctionDecl>(flag);
  return function ? return_node_of(function) : node_of(flag);
}

bool is_shared_flag(const ValueDecl* variable) {
  if (!variable) return false;
  const auto* global = dyn_cast<VarDecl>(variable);
  if (!isa<FieldDecl>(variable) && !(global && global->hasGlobalStorage())) return false;
  const QualType type = variable->getType().getNonReferenceType();
  return type->isIntegerType() || record_name(type) == "atomic";
}

List<FlagValue> flags_that_end(const Stmt* loop, const ASTContext& context) {
  List<FlagValue> out;
  const auto add = [&](const Expr* condition, bool outcome) {
    for (const ValueDecl* flag : shared_flags_in(condition)) {
      for (const bool value : {false, true})
        if (decides(flag, value, condition, outcome, context)) out.push_back({flag_node_of(flag), value});
    }
  };
  if (const Expr* condition = condition_of_loop(loop)) add(condition, false);
  const auto* body = dyn_cast_or_null<CompoundStmt>(body_of_loop(loop));
  if (!body) return out;
  for (const Stmt* child : body->body()) {
    const auto* test = dyn_cast<IfStmt>(child);
    if (test && leaves_loop(test->getThen())) add(test->getCond(), true);
  }
  return out;
}

bool flag_ends_loop(const ValueDecl* flag, bool value, const Stmt* branch, const Stmt* loop, const Writes& writes,
                    const ASTContext& context) {
  const auto* variable = dyn_cast<VarDecl>(flag);
  if (!variable || variable->hasGlobalStorage()) return false;
  const Expr* condition = condition_of_loop(loop);
  const bool by_condition = condition && decides(flag, value, condition, false, context);
  const Stmt* exit = by_condition ? nullptr : exit_by(flag, value, loop, context);
  if (!by_condition && !exit) return false;
  const SourceManager& sources = context.getSourceManager();
  const auto place = [&](SourceLocation location) { return sources.getFileLoc(location); };
  const auto is_before = [&](SourceLocation a, SourceLocation b) {
    return sources.isBeforeInTranslationUnit(place(a), place(b));
  };
  const bool later = exit && is_before(branch->getBeginLoc(), exit->getBeginLoc());
  bool skips = false;
  for_each_stmt(later ? body_of_loop(loop) : nullptr, [&](const Stmt* stmt) {
    skips |= isa<ContinueStmt>(stmt) && is_before(branch->getBeginLoc(), stmt->getBeginLoc()) &&
             is_before(stmt->getBeginLoc(), exit->getBeginLoc());
  });
  if (skips) return false;
  // Whether it is between the branch and the statement that tests the flag, which may be in the next iteration.
  const auto is_between = [&](SourceLocation at) {
    const bool behind = is_before(branch->getBeginLoc(), at);
    if (later) return behind && is_before(at, exit->getBeginLoc());
    return behind || (exit && is_before(at, exit->getBeginLoc())) ||
           (by_condition && !is_before(body_of_loop(loop)->getBeginLoc(), at));
  };
  const auto& written = writes.of(flag);
  return std::none_of(written.begin(), written.end(), [&](const Write& write) {
    const bool may_turn_back = write.how != Write::How::kSet || write.may_be(!value);
    return may_turn_back && write.at && is_within(write.at, loop, context) && is_between(write.at->getBeginLoc());
  });
}

}  // namespace syncsniff::facts
