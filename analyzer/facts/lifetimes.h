// Constructors and destructors that run without being spelled out: of members, of elements of containers and owners,
// and of objects that the library makes from the arguments that it is given.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace syncsniff::facts {

// The user-written destructors that run when a value of the type ends: its own first, then those of its members,
// elements and bases.
std::vector<const clang::CXXDestructorDecl*> destructors_of(clang::QualType type);

// The type that std::make_unique<T>(...), v.emplace_back(...) and v.resize(n) construct, and the number of constructor
// arguments; a null type if the call constructs nothing.
struct LibraryMakes {
  clang::QualType type;
  unsigned arguments = 0;
};
LibraryMakes made_in_library(const clang::CallExpr* call);

// The user-written constructor that std::make_unique<T>(...), v.emplace_back(...) and v.resize(n) run; null if there is
// none, or if several take that many arguments.
const clang::CXXConstructorDecl* constructor_in_library(const clang::CallExpr* call);

// The same for the elements of std::vector<T> v(n).
const clang::CXXConstructorDecl* constructor_of_elements(const clang::CXXConstructExpr* construct);

// Whether the statement moves the variable away or returns it, so that its destructor has nothing left to do.
bool moves_away(const clang::VarDecl* variable, const clang::Stmt* stmt);

}  // namespace syncsniff::facts
