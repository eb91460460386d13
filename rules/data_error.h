// An error in a YAML table, with file, line and key like a compiler's error.
#pragma once

#include <stdexcept>
#include <string>

namespace syncsniff {

// Appended for users, to whom the tables are part of the tool.
inline constexpr const char* kDataRemedy = "; correct the file, or install syncsniff again";

class DataError : public std::runtime_error {
 public:
  // what(): "file:line: key 'k': problem", or "file:line:column: ..." if the column is known.
  DataError(const std::string& file, int line, const std::string& key, const std::string& problem)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + (key.empty() ? "" : "key '" + key + "': ") +
                           problem) {}
  DataError(const std::string& file, int line, int column, const std::string& key, const std::string& problem)
      : DataError(column > 0 ? file + ":" + std::to_string(line) : file, column > 0 ? column : line, key, problem) {}
};

}  // namespace syncsniff
