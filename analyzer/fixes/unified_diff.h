// The edits of one file as a unified diff that `patch -p1` and `git apply` accept.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

// `path` is shown below a/ and b/. `edits` as for apply_edits(). Empty if the edits change nothing. Lines keep their
// endings (CRLF too); there are three lines of context.
std::string unified_diff(const std::string& path, const std::string& text, const std::vector<Edit>& edits);

}  // namespace syncsniff::fixes
