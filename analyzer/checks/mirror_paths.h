// How objects with mirrored memory are identified: by the path from the loop's function to them, such as
// `{this}.weights.memory`, and by the class that holds the states.
#pragma once

#include <string>

#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

std::string object_path(const facts::Sum& object);
// An element chosen by an index: each iteration uses another object.
bool picks_element(const std::string& path);

std::string key_for(const std::string& path, const std::string& class_name);
std::string path_in(const std::string& key);
std::string class_in(const std::string& key);

}  // namespace syncsniff::checks
