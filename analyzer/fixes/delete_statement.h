// Builds the edit that deletes one statement and leaves tidy text. Works on text alone; the caller knows the syntax
// around the statement.
#pragma once

#include <string>

#include "rules/finding.h"

namespace syncsniff::fixes {

// [offset, offset + length) is the statement with its `;`. It is replaced as follows. The sole body of an if, else, for
// or while: by `{}`. Alone on its lines, apart from a comment after it: its lines are deleted with the comment. The
// only statement after a label or case: by `;`, since a label needs a statement. Otherwise the statement and the blanks
// on one side of it are deleted.
Edit delete_statement(const std::string& file, const std::string& text, unsigned offset, unsigned length,
                      bool is_sole_body);

}  // namespace syncsniff::fixes
