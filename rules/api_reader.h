// One function's entry in rules/apis/*.yaml, checked against the schema.
// The loader of whole folders is ApiTable::load (api_facts.h).
#pragma once

#include <string>

#include "rules/api_facts.h"
#include "rules/yaml_tree.h"

namespace syncsniff {

// `library` and `header` are what the file says at its top. Throws DataError.
ApiFact read_api_fact(const std::string& name, const YamlView& entry, const std::string& library,
                      const std::string& header);

// Parameter names of a C prototype, in order; empty for (void).
// Throws std::invalid_argument when `signature` is no prototype of a function called `name`.
std::vector<std::string> parameter_names(const std::string& signature, const std::string& name);

}  // namespace syncsniff
