// A function of the API tables that is passed on instead of called: call(cudaDeviceSynchronize),
// hooks.push_back(cudaFree).
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// Null if the name is no function of the tables.
const ApiFact* handed_api(const clang::DeclRefExpr* reference, const ApiTable& apis);

// The USR of the function that stands for it. Each place that passes it on has its own, so that a finding is reported
// at that place.
std::string handed_api_usr(const clang::DeclRefExpr* reference);

}  // namespace syncsniff::facts
