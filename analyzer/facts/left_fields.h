// Fields whose value at a variable's end is known from its construction, as the flag of a view that does not own its
// memory.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// Whole numbers, flags and null pointers of the variable's class and its bases, with their last value, if its
// constructor, or a method that `block` (which declares the variable) calls unconditionally, sets them to a constant.
// Functions that the variable is passed to are ignored.
List<FieldValue> fields_left_in(const clang::VarDecl* variable, const clang::CompoundStmt* block,
                                const clang::ASTContext& context);

}  // namespace syncsniff::facts
