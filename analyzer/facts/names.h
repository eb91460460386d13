// Names of declarations that are the same in all units: USRs, keys of the flow graph, names as the API tables spell
// them.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <string>

#include "analyzer/facts/facts.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

std::string usr_of(const clang::Decl* decl);

// Differs between two places of a unit, and is the same in every unit that includes the same header.
std::string place_name(clang::SourceLocation location, const clang::SourceManager& sources);

// `thrust::reduce`, `at::Tensor::item`, `cudaMemcpy`: inline and anonymous namespaces and template arguments left out.
std::string api_name(const clang::NamedDecl* decl);

// The tables' entry for the function `decl` under the name `name`. Null also if it only shares its name with a function
// of the C library: a read() of the program's own.
const ApiFact* fact_of(const clang::NamedDecl* decl, const std::string& name, const ApiTable& apis);
const ApiFact* fact_of(const clang::NamedDecl* decl, const ApiTable& apis);  // under its api_name

// A class that stands in for one of a missing header, so that nothing is known of its values: unknown_names.h. Its
// members are no nodes.
bool is_stand_in(const clang::RecordDecl* record);
// Such a class, or a class of the unit that was given one as its base.
bool stands_for_unknown(const clang::CXXRecordDecl* record);

// "p:" parameter by function and index, "v:" variable, "f:" field, "r:" return value.
std::string node_of(const clang::ValueDecl* decl);
std::string return_node_of(const clang::FunctionDecl* function);
std::string this_node_of(const clang::CXXMethodDecl* method);

// The source text of a range as written, blanks squeezed, cut at `most` bytes.
std::string source_text(clang::SourceRange range, const clang::ASTContext& context, size_t most = 160);
// The same for display: of a range in the body of a macro with parameters, the text of the body, not the use of the
// macro.
std::string quoted_text(clang::SourceRange range, const clang::ASTContext& context, size_t most = 160);

// Macro arguments resolve to where they are written, macro bodies to where they are expanded.
Place place_of(clang::SourceRange range, const clang::ASTContext& context);

// Whether the object's dynamic class decides what runs. Base::update() calls the base's own, even if update is virtual.
bool is_dispatched(const clang::Expr* called, const clang::FunctionDecl* callee);

// False for a Tensor, Device or Function<X> of another library.
bool is_of_libtorch(const clang::Decl* decl);

bool is_managed(const clang::Decl* decl);  // __managed__
bool is_tensor(clang::QualType type);
bool is_device_type(clang::QualType type);    // c10::Device, DeviceType, TensorOptions
bool is_text(clang::QualType type);           // std::string, std::string_view, char*
bool may_hold_pointer(clang::QualType type);  // a pointer, an array, an object of any class; or it names a device

// A null type if the function is unknown or has fewer parameters (variadic arguments).
clang::QualType parameter_type(const clang::FunctionDecl* callee, unsigned index);

}  // namespace syncsniff::facts
