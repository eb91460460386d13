// Messages that are only written where a logging library says that they are wanted, as a macro for messages of one
// level expands to: if (logger->isDebugEnabled()) { std::ostringstream text; text << loss; logger->log(text.str()); }
#pragma once

#include <clang/AST/ASTContext.h>

#include "analyzer/facts/conditions.h"

namespace syncsniff::facts {

// Whether the term asks code that was not read, or that of a library, and the branch does nothing but write a message.
bool is_wanted_message(const Term& term, const clang::Stmt* branch, const clang::ASTContext& context);

}  // namespace syncsniff::facts
