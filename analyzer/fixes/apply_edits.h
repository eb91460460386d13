// Edits put into a text. Checks that they fit; knows nothing of files or findings.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

// `edits` are sorted by offset and do not overlap (edit_plan.h). Errors: std::out_of_range when one reaches past the
// end.
std::string apply_edits(const std::string& text, const std::vector<Edit>& edits);

// Two edits that cannot both be made. Equal edits do not clash: they are one.
bool clash(const Edit& a, const Edit& b);
bool same_edit(const Edit& a, const Edit& b);

}  // namespace syncsniff::fixes
