// The edit that takes one statement out and leaves the text as a careful person would.
// Works on text alone; the caller knows the syntax around the statement.
#pragma once

#include <string>

#include "rules/finding.h"

namespace syncsniff::fixes {

// [offset, offset + length) is the statement with its `;`.
//  * sole body of an if, else, for or while: becomes `{}`
//  * alone on its lines, a comment behind it aside: the lines go, comment and all
//  * the only thing behind a label or case: becomes `;`, since a label needs a statement
//  * otherwise: the statement and the blanks on one side of it go
Edit delete_statement(const std::string& file, const std::string& text, unsigned offset, unsigned length,
                      bool is_sole_body);

}  // namespace syncsniff::fixes
