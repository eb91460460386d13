// Kernels that are told by a number which slice of their arrays to write, such as which sample of a batch.
#pragma once

#include <clang/AST/Decl.h>

#include <vector>

namespace syncsniff::facts {

struct Slices {
  // The whole-number parameters of a kernel that every store to memory of its caller's depends on by its address:
  // row[k * n + i] = x. So does to[at[k * n + i]] = x. What it reads may be of other slices.
  std::vector<int> by;
  // Those of them whose slice the kernel also stays in where it reads an array that it changes: what a launch finds
  // there, a launch for another slice has not left.
  std::vector<int> own;
};
Slices slices_of(const clang::FunctionDecl* kernel);

}  // namespace syncsniff::facts
