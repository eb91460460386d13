// A flag that ends a loop as soon as it is set: while (!done) { ... }, for (...) { ...; if (done) break; }. What asks
// for it in the loop runs in one iteration at most.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// Where `flag` is `value` when `branch` runs, which stands in the loop and in no other one inside of it, that iteration
// is the last one, or the next one leaves the loop where it asks for the flag. A parameter or a local variable alone:
// others may be turned back by what the loop calls.
bool flag_ends_loop(const clang::ValueDecl* flag, bool value, const clang::Stmt* branch, const clang::Stmt* loop,
                    const Writes& writes, const clang::ASTContext& context);

}  // namespace syncsniff::facts
