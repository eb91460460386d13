// Fields whose value at the end of a variable is known from its construction: the flag of a view that it owns nothing.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// Whole numbers, flags and null pointers, of the variable's class and its bases, that its constructor makes constant,
// or a method that `block`, where it is declared, calls in any case: with the value that is the last. What a function
// that it is handed to does with it is not looked at.
List<FieldValue> fields_left_in(const clang::VarDecl* variable, const clang::CompoundStmt* block,
                                const clang::ASTContext& context);

}  // namespace syncsniff::facts
