// A flag that ends a loop as soon as it is set: while (!done) { ... }, for (...) { ...; if (done) break; }. A branch in
// the loop that runs only if the flag is set runs in at most one iteration.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

// Whether the iteration in which `branch` runs while `flag` has this `value` is the loop's last one, or the next
// iteration leaves the loop where it tests the flag. `branch` must be in the loop and in no loop inside it. Only
// parameters and local variables qualify: other flags may be reset by functions that the loop calls.
bool flag_ends_loop(const clang::ValueDecl* flag, bool value, const clang::Stmt* branch, const clang::Stmt* loop,
                    const Writes& writes, const clang::ASTContext& context);

// The flags of classes and namespaces, and the results of bool functions, at one of whose values the loop ends. The
// code that sets them may be in functions that the loop calls (program/ending_flags.h).
List<FlagValue> flags_that_end(const clang::Stmt* loop, const clang::ASTContext& context);

// Whether assignments to the variable are recorded: it is a bool or a whole number, and a class's or a namespace's.
bool is_shared_flag(const clang::ValueDecl* variable);

}  // namespace syncsniff::facts
