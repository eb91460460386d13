// Calls that return the same pointer whatever their arguments: scratch.get(bytes) { if (bytes > have) grow(bytes);
// return p; }
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

namespace syncsniff::facts {

struct FieldGetter {
  const clang::Expr* object = nullptr;  // what it is called on
  const clang::FieldDecl* field = nullptr;
};

// For a call of a visible, non-virtual method that returns the same pointer field of its object on every path.
FieldGetter field_getter(const clang::Expr* expr);

// The same for a method that only returns one field, a whole number: size().
FieldGetter getter_of_number(const clang::Expr* expr);

}  // namespace syncsniff::facts
