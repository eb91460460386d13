// Names objects with mirrored memory: by the path from the hot loop's function to the object, such as
// `{this}.weights.memory`, and by the class that holds the states.
#pragma once

#include <string>

#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

std::string object_path(const facts::Sum& object);
// Whether the path contains an element chosen by an index, so that each iteration may use another object.
bool picks_element(const std::string& path);

std::string key_for(const std::string& path, const std::string& class_name);
std::string path_in(const std::string& key);
std::string class_in(const std::string& key);

}  // namespace syncsniff::checks
