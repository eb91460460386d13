// Containers whose allocator is a class with methods of its own, such as std::vector<float, Pinned<float>>. The library
// calls these methods in bodies that are not read.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

struct AllocatorMethods {
  const clang::CXXMethodDecl *allocate = nullptr, *deallocate = nullptr;
};

// The methods of the container's allocator; null if the type is no container, or the allocator has no such method.
AllocatorMethods allocator_methods(clang::QualType container);

// The memory that the allocator hands out, as far as the body of its allocate() shows; pinned if it may be. kUnknown:
// the body is not in sight, or takes memory from elsewhere.
MemoryKind memory_of_allocator(const clang::CXXRecordDecl* allocator, const ApiTable& apis);

// The constructor call that the variable begins with; null if there is none.
const clang::CXXConstructExpr* construction_of(const clang::VarDecl* variable);

// Whether the constructor gives the container elements: it is called with their number, with a range or with another
// container that is not moved from.
bool makes_elements(const clang::CXXConstructExpr* construct);

// The local variable that was constructed empty and that the call gives room: reserve(), resize(), assign(). Null for
// any other call.
const clang::VarDecl* given_room(const clang::CallExpr* call);

}  // namespace syncsniff::facts
