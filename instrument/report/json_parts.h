// JSON that reports and comparisons share.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "instrument/reader/places.h"

namespace syncsniff::report {

inline nlohmann::ordered_json place_json(const reader::Place& place) {
  nlohmann::ordered_json json{{"file", place.file}, {"line", place.line}};
  if (!place.function.empty()) json["function"] = place.function;
  if (place.line == 0 && place.offset != 0) json["offset"] = place.offset;
  return json;
}

inline nlohmann::ordered_json code_patterns_json(const std::vector<reader::CodePattern>& patterns) {
  auto list = nlohmann::ordered_json::array();
  for (const reader::CodePattern& pattern : patterns)
    list.push_back({{"code", pattern.whose == reader::Whose::kUsers ? "user" : "library"},
                    {"glob", pattern.glob.text()},
                    {"paths", pattern.paths}});
  return list;
}

}  // namespace syncsniff::report
