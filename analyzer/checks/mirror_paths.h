// How objects are told apart where mirrored memory is followed: by the path that leads to them from the loop's
// function,
// `{this}.weights.memory`, and by the class whose states are meant.
#pragma once

#include <string>

#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

std::string object_path(const facts::Sum& object);
// An element that an index picks: another object in another iteration.
bool picks_element(const std::string& path);

std::string key_for(const std::string& path, const std::string& class_name);
std::string path_in(const std::string& key);
std::string class_in(const std::string& key);

}  // namespace syncsniff::checks
