// Calls that give the same pointer whatever they are given: scratch.get(bytes) { if (bytes > have) grow(bytes); return
// p; }
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

namespace syncsniff::facts {

struct FieldGetter {
  const clang::Expr* object = nullptr;  // what it is called on
  const clang::FieldDecl* field = nullptr;
};

// Of a call of a method, in sight and not virtual, that returns one field of its object, a pointer, on every way.
FieldGetter field_getter(const clang::Expr* expr);

// The same of a method that does nothing but return one field, a whole number: size().
FieldGetter getter_of_number(const clang::Expr* expr);

}  // namespace syncsniff::facts
