#include "analyzer/facts/named_terms.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/lazy.h"
#include "analyzer/facts/words.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostNamed = 8;  // at most so many operands of one condition are recorded by name

bool has_no_written_argument(const CallExpr* call) {
  return std::all_of(call->arg_begin(), call->arg_end(), [](const Expr* arg) { return isa<CXXDefaultArgExpr>(arg); });
}

// The name of a flag that stands alone: `train` in net.train, `is_training` in net->is_training(), and in
// training.load() of an atomic its own. In train_set.empty() the method is the name: what it is called of tells nothing
// of a flag.
std::string name_of_flag(const Expr* expr) {
  if (const auto* member = dyn_cast<MemberExpr>(expr)) return words_of(member->getMemberDecl()->getNameAsString());
  const auto* call = dyn_cast<CXXMemberCallExpr>(expr);
  if (!call || !call->getMethodDecl() || is_atomic(call->getImplicitObjectArgument()->getType())) return words_in(expr);
  return isa<CXXConversionDecl>(call->getMethodDecl()) ? words_in(expr)
                                                       : words_of(call->getMethodDecl()->getNameAsString());
}

bool is_made_by_program(const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  return method ? !method->getParent()->isInStdNamespace() : callee && !callee->isInStdNamespace();
}

// A term that says which mode a program is in: a flag, or what a function of its own says without being told what to
// look at. A file that is open, or a load that has succeeded, is no mode, whatever its name.
bool is_mode(const Expr* expr) {
  if (isa<DeclRefExpr, MemberExpr>(expr)) return expr->getType()->isIntegralOrEnumerationType();
  const auto* call = dyn_cast<CallExpr>(expr);
  const auto* member = dyn_cast_or_null<CXXMemberCallExpr>(call);
  if (member && is_atomic(member->getImplicitObjectArgument()->getType())) return true;
  return call && has_no_written_argument(call) && is_made_by_program(call->getDirectCallee());
}

}  // namespace

std::vector<NamedTerm> named_terms(const std::vector<Term>& terms, const Stmt* branch,
                                   const std::vector<LoopAround>& loops, const ASTContext& context, Naming naming) {
  std::vector<NamedTerm> named;
  for (const Term& term : terms) {
    // net.train == 0 names what !net.train names.
    const auto test = flag_test(term.expr, context);
    const bool is_flag = test && isa<DeclRefExpr, MemberExpr, CallExpr>(strip(test->flag));
    const Expr* expr = is_flag ? strip(test->flag) : term.expr;
    if (naming == Naming::kModes && !is_mode(expr)) continue;
    NamedTerm one;
    one.names = words_in(expr);
    if (one.names.empty() || named.size() == kMostNamed) continue;
    const auto* call = dyn_cast<CallExpr>(expr);
    const bool names_one = isa<DeclRefExpr, MemberExpr>(expr);
    one.holds = is_flag ? test->value == term.positive : term.positive;
    one.alone = names_one || (call && has_no_written_argument(call));
    if (one.alone && !one.holds) one.names = name_of_flag(expr);
    one.may_turn = names_one && may_turn(expr, branch, loops, context);
    named.push_back(std::move(one));
  }
  return named;
}

}  // namespace syncsniff::facts
