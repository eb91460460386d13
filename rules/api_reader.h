// Reads one function's entry in rules/apis/*.yaml and checks it against the schema. ApiTable::load (api_facts.h) loads
// whole folders.
#pragma once

#include <string>

#include "rules/api_facts.h"
#include "rules/yaml_tree.h"

namespace syncsniff {

// `library` and `header` are stated at the top of the file. Throws DataError.
ApiFact read_api_fact(const std::string& name, const YamlView& entry, const std::string& library,
                      const std::string& header);

// Parameter names of a C prototype, in order; empty for (void). Throws std::invalid_argument if `signature` is not a
// prototype of a function called `name`.
std::vector<std::string> parameter_names(const std::string& signature, const std::string& name);

}  // namespace syncsniff
