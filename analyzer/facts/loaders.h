// Which loader a batch of LibTorch's data API comes from, and which of the program's classes make its batches.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <vector>

namespace syncsniff::facts {

// torch::data::Example, which LibTorch's data loaders give.
bool is_loaders_example(const clang::RecordDecl* record);

// The USRs of the program's own data sets and transforms in the type of the loader that `batch` is read from: `*loader`
// in a range-for, `it->` of its iterators. None where LibTorch's own make the batch. Nothing where the loader is not
// found, or where a function object of any making (BatchLambda) has a part in it.
std::optional<std::vector<std::string>> makers_of_batch(const clang::Expr* batch);

}  // namespace syncsniff::facts
