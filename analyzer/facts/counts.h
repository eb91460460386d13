// Whether a number counts iterations. Only then does `x % 8 == 0` say how often its branch runs.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// False if the number is seen to be something else: an address, a size of a tensor, or a parameter, variable or field
// that is computed from such things once and never stepped. A constant 0 or 1 decides nothing, since counters begin so.
// `if (channels % 8 == 0)` picks the kernel that fits a layer, in every step. True if nothing of the sort is known.
bool may_count(const clang::Expr* number, const Writes& writes);

// n, if `expr` being `positive` means that `x % n == c` and x may count; 0 if n is not constant; nothing for anything
// else.
std::optional<long> period_of_count(const clang::Expr* expr, bool positive, const Writes& writes,
                                    const clang::ASTContext& context);

}  // namespace syncsniff::facts
