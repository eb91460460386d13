// call(cudaDeviceSynchronize), hooks.push_back(cudaFree): a function of the tables that is handed on instead of called.
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// Null where the name is no function of the tables.
const ApiFact* handed_api(const clang::DeclRefExpr* reference, const ApiTable& apis);

// Of the body that stands for it. Each place that hands it on has its own, and a finding stands at that place.
std::string handed_api_usr(const clang::DeclRefExpr* reference);

}  // namespace syncsniff::facts
