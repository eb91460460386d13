// Branches that a program takes where its tensors live on the CPU: if (device == torch::kCPU), if (!x.is_cuda()).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/conditions.h"

namespace syncsniff::facts {

// The operand lets `branch` run on the CPU alone, and the branch moves nothing to another device.
bool needs_cpu(const Term& term, const clang::Stmt* branch);

}  // namespace syncsniff::facts
