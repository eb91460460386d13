// Copies of objects that hold a thrust::device_vector, where the compiler writes the copy: nobody spells the allocation
// and the wait that it costs.
#pragma once

#include <clang/AST/DeclCXX.h>

namespace syncsniff::facts {

// The compiler wrote this copy constructor or copy assignment, and it copies such a member.
bool copies_device_vector(const clang::FunctionDecl* function);

}  // namespace syncsniff::facts
