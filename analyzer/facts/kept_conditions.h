// A condition that a function keeps in a local variable before it asks it: `const bool grown = need > have_;`.
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
  const clang::Expr* begins;  // what the variable is declared with
  std::vector<Turn> turns;    // if (sizes_[i] != need(i)) fits = false; fits = fits && sizes_[i] == need(i);
};

// Nothing unless `expr` names a local bool of which every change is one of these.
std::optional<KeptCondition> kept_condition(const clang::Expr* expr, const clang::ASTContext& context);

}  // namespace syncsniff::facts
