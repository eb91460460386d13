// Which loader a batch of LibTorch's data API comes from, and which of the program's classes make its batches.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <vector>

namespace syncsniff::facts {

// torch::data::Example, which LibTorch's data loaders give.
bool is_loaders_example(const clang::RecordDecl* record);

// What a member of an example is: Example<> both(data, target); both.target is `target`. Null where the example is no
// local variable that is made of its members.
const clang::Expr* member_given(const clang::MemberExpr* member);

// The example is a function's parameter, or what a function of the program gives back: no loader need have made it.
bool is_handed_over(const clang::Expr* example);

// The USRs of the program's own data sets and transforms in the type of the loader that `batch` is read from: `*loader`
// in a range-for, `it->` of its iterators. None where LibTorch's own make the batch. Nothing where the loader is not
// found, or where a function object of any making (BatchLambda) has a part in it.
std::optional<std::vector<std::string>> makers_of_batch(const clang::Expr* batch);

}  // namespace syncsniff::facts
