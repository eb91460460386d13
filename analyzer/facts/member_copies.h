// Copies of objects with a thrust::device_vector member that the compiler generates: the source does not show the
// allocation and the wait that they cost.
#pragma once

#include <clang/AST/DeclCXX.h>

namespace syncsniff::facts {

// Whether this is a copy constructor or copy assignment that the compiler generated and that copies such a member.
bool copies_device_vector(const clang::FunctionDecl* function);

}  // namespace syncsniff::facts
