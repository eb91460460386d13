// Containers and smart pointers as the standard library and thrust have them: where their elements live.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// The class's own name, pointers and references taken off; empty for what is no class.
llvm::StringRef record_name(clang::QualType type);

// thrust::device, thrust::cuda::par.on(stream), a variable that holds one: Thrust's execution policy for the GPU.
bool is_device_policy(clang::QualType type);
// Argument `index` of a class template's instance; null where that is no type, or the class is none.
clang::QualType type_argument(const clang::CXXRecordDecl* record, unsigned index);
// The container that is this type's, or that a reference, a pointer or a smart pointer of this type leads to; null for
// anything else.
clang::QualType container_behind(clang::QualType type);
// *p and p->, where p is a pointer or a smart pointer to a container: p. Null for anything else.
const clang::Expr* pointer_to_container(const clang::Expr* expr);
// A class template whose first argument is a tensor: std::vector<torch::Tensor>, and what leads to a container of them.
bool holds_tensors(clang::QualType type);
// A container of them whose elements are not told apart: all but std::array, where each has its number.
bool is_list_of_tensors(clang::QualType type);

// The kind of memory that a container keeps its elements in, by its allocator; kUnknown for anything else.
MemoryKind container_memory(clang::QualType type);

// The name of the class that a list's elements are of; empty where they are of none.
llvm::StringRef element_name(clang::QualType container);

bool is_smart_pointer(clang::QualType type);

// v.begin() + n, std::next(v.rbegin()): v. Null for anything else.
const clang::Expr* range_of_iterator(const clang::Expr* expr);

}  // namespace syncsniff::facts
