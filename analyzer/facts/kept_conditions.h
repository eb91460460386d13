// A condition that a function stores in a local variable before it tests it: `const bool grown = need > have_;`.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

namespace syncsniff::facts {

struct KeptCondition {
  // Where `condition` is `when`, the variable becomes `to`.
  struct Turn {
    const clang::Expr* condition;
    bool when;
    bool to;
  };
  const clang::Expr* begins;  // the variable's initial value
  std::vector<Turn> turns;    // if (sizes_[i] != need(i)) fits = false; fits = fits && sizes_[i] == need(i);
};

// Nothing unless `expr` names a local bool that changes in no other way than by these turns.
std::optional<KeptCondition> kept_condition(const clang::Expr* expr, const clang::ASTContext& context);

}  // namespace syncsniff::facts
