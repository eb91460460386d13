#include "analyzer/facts/set_anew.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// What the paths through a statement do first with the variable.
enum class First {
  kNothing,
  kSomeSet,  // some paths set it, the others do not name it
  kSet,
  kRead,
};

class FirstUse {
 public:
  explicit FirstUse(const Decl* variable) : variable_(variable) {}

  First of(const Stmt* stmt) const {
    if (!stmt) return First::kNothing;
    if (const auto* block = dyn_cast<CompoundStmt>(stmt)) return of_block(block);
    if (const auto* choice = dyn_cast<IfStmt>(stmt)) return of_choice(choice);
    if (isa<ForStmt, WhileStmt, CXXForRangeStmt>(stmt)) return of_loop(body_of_loop(stmt), stmt);
    if (const auto* expr = dyn_cast<Expr>(stmt)) return of_expression(expr);
    return named(stmt) ? First::kRead : First::kNothing;
  }

 private:
  bool named(const Stmt* stmt) const { return stmt && mentions(stmt, {variable_}); }

  First of_block(const CompoundStmt* block) const {
    First first = First::kNothing;
    for (const Stmt* child : block->body()) {
      const First here = of(child);
      if (here == First::kSet || here == First::kRead) return here;
      if (here == First::kSomeSet) first = here;
    }
    return first;
  }

  First of_choice(const IfStmt* choice) const {
    if (named(choice->getInit()) || named(choice->getConditionVariableDeclStmt()) || named(choice->getCond()))
      return First::kRead;
    const First yes = of(choice->getThen()), no = of(choice->getElse());
    if (yes == First::kRead || no == First::kRead) return First::kRead;
    if (yes == no) return yes;
    return First::kSomeSet;
  }

  // A loop may run no iteration.
  First of_loop(const Stmt* body, const Stmt* whole) const {
    const First inside = of(body);
    if (inside == First::kSet || inside == First::kSomeSet) return First::kSomeSet;
    return named(whole) ? First::kRead : First::kNothing;
  }

  First of_expression(const Expr* expr) const {
    expr = strip(expr);
    const Assignment a = assignment(expr);
    const auto* target = dyn_cast_or_null<DeclRefExpr>(a.left ? strip(a.left) : nullptr);
    if (target && target->getDecl() == variable_ && !a.compound && !named(a.right)) return First::kSet;
    return named(expr) ? First::kRead : First::kNothing;
  }

  const Decl* variable_;
};

}  // namespace

bool is_assigned_before_use(const Decl* variable, const Stmt* body) {
  const auto* local = dyn_cast_or_null<VarDecl>(variable);
  return local && local->hasLocalStorage() && !local->getType()->isReferenceType() &&
         FirstUse(variable).of(body) == First::kSet;
}

}  // namespace syncsniff::facts
