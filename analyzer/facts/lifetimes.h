// Constructors and destructors that run without being written: of members, of what containers and owners hold, of what
// the library makes from the arguments that it is given.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// The destructors written by hand that run when a value of the type ends, its own first, then those of its members,
// elements and bases.
std::vector<const clang::CXXDestructorDecl*> destructors_of(clang::QualType type);

// What std::make_unique<T>(...), v.emplace_back(...) and v.resize(n) make, from so many arguments; a null type where
// the call makes nothing.
struct LibraryMakes {
  clang::QualType type;
  unsigned arguments = 0;
};
LibraryMakes made_in_library(const clang::CallExpr* call);

// The constructor written by hand that std::make_unique<T>(...), v.emplace_back(...) and v.resize(n) run; null where
// there is none, or more than one takes so many arguments.
const clang::CXXConstructorDecl* constructor_in_library(const clang::CallExpr* call);

// The same for the elements of std::vector<T> v(n).
const clang::CXXConstructorDecl* constructor_of_elements(const clang::CXXConstructExpr* construct);

// The statement moves the variable away or returns it, so that its destructor finds nothing to do.
bool moves_away(const clang::VarDecl* variable, const clang::Stmt* stmt);

}  // namespace syncsniff::facts
