// Containers and smart pointers of the standard library and thrust: which memory their elements are in.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

// The class's own name, without pointers and references; empty for a type that is no class.
llvm::StringRef record_name(clang::QualType type);

// thrust::device, thrust::cuda::par.on(stream), a variable that holds one: Thrust's execution policy for the GPU.
bool is_device_policy(clang::QualType type);
// Template argument `index` of a class; null if that argument is no type or the class is no template instance.
clang::QualType type_argument(const clang::CXXRecordDecl* record, unsigned index);
// The container that the type is, or that a reference, pointer or smart pointer of this type refers to; null for
// anything else.
clang::QualType container_behind(clang::QualType type);
// *p and p->, where p is a pointer or a smart pointer to a container: p. Null for anything else.
const clang::Expr* pointer_to_container(const clang::Expr* expr);
// A class template whose first argument is a tensor, as std::vector<torch::Tensor>, or a reference or pointer to one.
bool holds_tensors(clang::QualType type);
// A container of tensors whose elements are not told apart: all but std::array, where each element has a constant
// index.
bool is_list_of_tensors(clang::QualType type);

// The kind of memory that a container keeps its elements in, by its allocator; kUnknown for anything else.
MemoryKind container_memory(clang::QualType type, const ApiTable& apis);

// The class name of the container's elements; empty if they are of no class.
llvm::StringRef element_name(clang::QualType container);

bool is_smart_pointer(clang::QualType type);
bool is_span(clang::QualType type);

// v.begin() + n, std::next(v.rbegin()): v. Null for anything else.
const clang::Expr* range_of_iterator(const clang::Expr* expr);

}  // namespace syncsniff::facts
