// Kernels with a parameter that says which slice of their arrays to write, such as the index of a sample in a batch.
#pragma once

#include <clang/AST/Decl.h>

#include <vector>

namespace syncsniff::facts {

struct Slices {
  // The whole-number parameters that the address of every store to the caller's memory depends on: row[k * n + i] = x,
  // but also to[at[k * n + i]] = x. The kernel may read other slices.
  std::vector<int> by;
  // Those of `by` whose slice the kernel also stays in when it reads an array that it writes: a launch never reads what
  // a launch for another slice has written.
  std::vector<int> own;
};
Slices slices_of(const clang::FunctionDecl* kernel);

}  // namespace syncsniff::facts
