// Forms of LibTorch calls that behave differently under one name: each has its own entry in the API tables.
#pragma once

#include <clang/AST/ExprCXX.h>

#include <string>
#include <vector>

#include "analyzer/facts/truth_tensors.h"

namespace syncsniff::facts {

// The table's name for this form of the call, as "at::Tensor::index(mask)" for x.index({x > 0}); empty if the
// function's name suffices.
std::string form_of_tensor_call(const clang::CallExpr* call, const std::string& name, const TruthTensors& truths);

// The same for an operation of a tensor that is called with these arguments: x.index({mask}).
std::string form_of_indexing(const std::string& name, llvm::ArrayRef<const clang::Expr*> arguments,
                             const TruthTensors& truths);
// x.index({i}) and x.index_put_({i}, y), by full name: the result is where x is, since indices on the host are copied
// there.
bool takes_indices(const std::string& name);

// The tensors in a list of indices, or in a braced list of tensors. A pair or a tuple of tensors counts as one of them,
// since which of its elements is read later decides.
std::vector<const clang::Expr*> listed_tensors(const clang::Expr* list);

// Options that request pinned memory: TensorOptions().pinned_memory(true), or a local variable initialized so.
bool asks_for_pinned(const clang::Expr* options, int depth = 0);

}  // namespace syncsniff::facts
