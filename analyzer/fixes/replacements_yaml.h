// Edits in the YAML format of Clang's tools, for clang-apply-replacements and other readers of clang-tidy's
// --export-fixes. Reads and writes no files.
#pragma once

#include <map>
#include <string>

#include "analyzer/fixes/edit_plan.h"

namespace syncsniff::fixes {

// `texts`: the content of the plan's files, by real path. An edit shared by several findings is written once. Throws
// std::runtime_error with a message of one line if a path or an edit is not UTF-8, which YAML cannot represent.
std::string replacements_yaml(const EditPlan& plan, const std::map<std::string, std::string>& texts);

}  // namespace syncsniff::fixes
