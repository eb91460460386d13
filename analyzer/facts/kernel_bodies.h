// What a __global__ function is, as far as launches of it can be put together: elementwise or not, and which parameters
// each thread reads and writes at its own index. Read off its body, nothing off its name.
#pragma once

#include <clang/AST/ASTContext.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

KernelBody read_kernel(const clang::FunctionDecl* kernel, const clang::ASTContext& context,
                       const ProjectFiles& project);

}  // namespace syncsniff::facts
