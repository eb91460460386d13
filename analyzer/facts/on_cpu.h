// Branches that a program takes if its tensors are on the CPU: if (device == torch::kCPU), if (!x.is_cuda()).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/conditions.h"

namespace syncsniff::facts {

// Whether the term lets `branch` run only on the CPU, and the branch moves nothing to another device.
bool needs_cpu(const Term& term, const clang::Stmt* branch);

}  // namespace syncsniff::facts
