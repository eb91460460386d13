// A flag that ends a loop as soon as it is set: while (!done) { ... }, for (...) { ...; if (done) break; }. A branch in
// the loop that runs only if the flag is set runs in at most one iteration.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// Whether the iteration in which `branch` runs while `flag` has this `value` is the loop's last one, or the next
// iteration leaves the loop where it tests the flag. `branch` must be in the loop and in no loop inside it. Only
// parameters and local variables qualify: other flags may be reset by functions that the loop calls.
bool flag_ends_loop(const clang::ValueDecl* flag, bool value, const clang::Stmt* branch, const clang::Stmt* loop,
                    const Writes& writes, const clang::ASTContext& context);

}  // namespace syncsniff::facts
