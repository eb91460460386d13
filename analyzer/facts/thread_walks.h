// Loops of a kernel in which each thread goes through neighbouring elements by itself, so that at any time the threads
// of a warp access places far apart.
#pragma once

#include <clang/AST/ASTContext.h>

#include <vector>

#include "analyzer/facts/kernel_walk.h"

namespace syncsniff::facts {

std::vector<KernelBody::Walk> walks_of_threads(const KernelWalk& kernel, const clang::ASTContext& context);

}  // namespace syncsniff::facts
