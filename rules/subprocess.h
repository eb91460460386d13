// Runs a program with a text on its standard input and returns its output. Uses no shell.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

// The full path of `name` on PATH; "" if there is none.
std::string find_on_path(const std::string& name);

// Returns false if the program could not be started or failed. Its standard error goes to `errors`; if that is nullptr,
// it is discarded.
bool run_program(const std::vector<std::string>& command, const std::string& input, std::string* output,
                 std::string* errors = nullptr);

}  // namespace syncsniff
