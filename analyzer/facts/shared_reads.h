// Reads of shared memory that another thread has written with no barrier in between, on a straight path of one kernel.
// Returns none where it cannot decide: pointers into shared memory, calls that may contain a barrier, the next
// iteration of a loop.
#pragma once

#include <clang/AST/ASTContext.h>

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

std::vector<KernelBody::Unsynced> unsynced_reads(const clang::FunctionDecl* kernel, const clang::ASTContext& context);

}  // namespace syncsniff::facts
