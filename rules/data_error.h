// A fault in a YAML table, told the way a compiler tells it: file, line, key.
#pragma once

#include <stdexcept>
#include <string>

namespace syncsniff {

// For the one who is told of a fault: the tables came with the tool.
inline constexpr const char* kDataRemedy = "; correct the file, or install syncsniff again";

class DataError : public std::runtime_error {
 public:
  // what(): "file:line: key 'k': problem"
  DataError(const std::string& file, int line, const std::string& key, const std::string& problem)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + (key.empty() ? "" : "key '" + key + "': ") +
                           problem) {}
};

}  // namespace syncsniff
