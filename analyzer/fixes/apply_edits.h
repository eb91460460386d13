// Applies edits to a text. Checks that they fit; does not depend on files or findings.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

// Returns the edited text. `edits` are sorted by offset and do not overlap (edit_plan.h). Throws std::out_of_range if
// an edit reaches past the end.
std::string apply_edits(const std::string& text, const std::vector<Edit>& edits);

// Whether the two edits cannot both be made. Equal edits do not clash, since they are one edit.
bool clash(const Edit& a, const Edit& b);
bool same_edit(const Edit& a, const Edit& b);

}  // namespace syncsniff::fixes
