// Edits in the YAML of Clang's tools: clang-apply-replacements, and whatever reads clang-tidy's --export-fixes.
// Reads nothing and writes nothing.
#pragma once

#include <map>
#include <string>

#include "analyzer/fixes/edit_plan.h"

namespace syncsniff::fixes {

// `texts`: what stands in the files of the plan, by real path. An edit that several findings share is written once.
// Errors: std::runtime_error with one line for a path or an edit that is no UTF-8: YAML cannot say it.
std::string replacements_yaml(const EditPlan& plan, const std::map<std::string, std::string>& texts);

}  // namespace syncsniff::fixes
