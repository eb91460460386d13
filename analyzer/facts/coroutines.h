// Coroutines: the call that creates one runs none of its body; each resumption runs it up to the next co_yield or
// co_await. A resumption names the promise type alone, so it may run every coroutine that has this type.
#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <string>

namespace syncsniff::facts {

// All three: the key that a resumption and the coroutines that it may run have in common; empty: there is none.
std::string resumption_of(const clang::CoroutineBodyStmt* coroutine);
// handle.resume() and handle() of a std::coroutine_handle<promise_type>. Empty for a handle that names no promise type.
std::string resumed_by(const clang::FunctionDecl* callee);
// A loop over a generator of the standard library resumes it in each iteration.
std::string resumed_by(const clang::CXXForRangeStmt* loop);

// A generator: what it yields comes one after another, as batches do, and is no list of tensors.
bool is_coroutine(clang::QualType type);

}  // namespace syncsniff::facts
