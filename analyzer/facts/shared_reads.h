// Reads of shared memory that another thread has written with no barrier between, on a straight path of one kernel.
// Says nothing where it cannot tell: pointers into shared memory, calls that may hold a barrier, loops come round
// again.
#pragma once

#include <clang/AST/ASTContext.h>

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

std::vector<KernelBody::Unsynced> unsynced_reads(const clang::FunctionDecl* kernel, const clang::ASTContext& context);

}  // namespace syncsniff::facts
