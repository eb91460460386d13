// Conditions on values that were fetched from the GPU.
#pragma once

#include <clang/AST/Expr.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// `at` stands in `branch` under an if statement that asks a value which `branch` has fetched: cudaMemcpy(&h, ...);
// if (isnan(h)) at; or if (loss.item<float>() > best) at. Whether it comes to `at`, the computation alone decides.
bool depends_on_fetched(const clang::Stmt* at, const clang::Stmt* branch, const ApiTable& apis);

}  // namespace syncsniff::facts
