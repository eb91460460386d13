// Conditions on values that were copied from the GPU.
#pragma once

#include <clang/AST/Expr.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// Whether `at` is in `branch` under an if statement that tests a value which `branch` has copied from the GPU:
// cudaMemcpy(&h, ...); if (isnan(h)) at; or if (loss.item<float>() > best) at. Then only the result of the computation
// decides whether `at` runs.
bool depends_on_fetched(const clang::Stmt* at, const clang::Stmt* branch, const ApiTable& apis);

}  // namespace syncsniff::facts
