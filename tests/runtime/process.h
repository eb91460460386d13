// Runs a program with an environment of the test's choosing, and keeps what it printed.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace syncsniff::tests {

struct Finished {
  int exit_status = -1;  // -1: ended by `signal`
  int signal = 0;
  std::string output, errors;

  // The numbers after `key` at the start of a line, in order.
  std::vector<double> numbers(const std::string& key) const;
};

Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
             unsigned long file_limit_bytes = 0);

// Files of the folder that holds `path` whose names begin with path's.
std::vector<std::string> traces_at(const std::string& path);

}  // namespace syncsniff::tests
