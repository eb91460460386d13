// Edits of one file as a unified diff that `patch -p1` and `git apply` take.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

// `path` is shown below a/ and b/. `edits` as for apply_edits. Empty when they change nothing.
// Lines keep their endings (CRLF too); three lines of context.
std::string unified_diff(const std::string& path, const std::string& text, const std::vector<Edit>& edits);

}  // namespace syncsniff::fixes
