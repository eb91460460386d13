// What launches of a __global__ function need to be fused: whether it is elementwise, and which parameters each thread
// reads and writes at its own index. Judged by the body, never by the name.
#pragma once

#include <clang/AST/ASTContext.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

KernelBody read_kernel(const clang::FunctionDecl* kernel, const clang::ASTContext& context,
                       const ProjectFiles& project);

}  // namespace syncsniff::facts
