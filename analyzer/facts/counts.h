// Whether a number counts iterations: what `x % 8 == 0` tells of how often its branch runs hangs on that.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// False where the number is seen to be another kind of thing: an address, a size of a tensor, or a parameter, variable
// or field that is computed from such things once and never stepped. 0 and 1 say nothing: counters begin so. `if
// (channels % 8 == 0)` picks the kernel that fits a layer, in every step. True where nothing of the sort is known.
bool may_count(const clang::Expr* number, const Writes& writes);

// n of `x % n == c` where that is so as the expression is `positive`, and x may count; nothing for anything else. 0
// where n is not known.
std::optional<long> period_of_count(const clang::Expr* expr, bool positive, const Writes& writes,
                                    const clang::ASTContext& context);

}  // namespace syncsniff::facts
