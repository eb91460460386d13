// Which loader a batch of LibTorch's data API comes from, and which classes of the program make its batches.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <vector>

namespace syncsniff::facts {

// torch::data::Example, the type that LibTorch's data loaders return.
bool is_loaders_example(const clang::RecordDecl* record);

// The expression that initializes a member of an example: in Example<> both(data, target), both.target is `target`.
// Null if the example is no local variable that is made from its members.
const clang::Expr* member_given(const clang::MemberExpr* member);

// The example is a function's parameter, or the result of a function of the program: it need not come from a loader.
bool is_handed_over(const clang::Expr* example);

// The USRs of the program's own data sets and transforms in the type of the loader that `batch` is read from: `*loader`
// in a range-for, `it->` of its iterators. An empty list if only LibTorch's own make the batch. Nothing if the loader
// is not found, or if an arbitrary function object (BatchLambda) takes part.
std::optional<std::vector<std::string>> makers_of_batch(const clang::Expr* batch);

// The methods of these data sets and transforms that move tensors to a device, if they run where the batch is read,
// once per example or batch. None if the unit has loaders with threads of their own.
std::vector<const clang::FunctionDecl*> makers_on_gpu(const clang::Expr* batch, const clang::ASTContext& context);

}  // namespace syncsniff::facts
