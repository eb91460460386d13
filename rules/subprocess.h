// Runs a program with a text on its standard input and returns what it printed. No shell.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

// The full path of `name` on PATH; "" when there is none.
std::string find_on_path(const std::string& name);

// Standard error is thrown away, unless `errors` is to have it. Returns false when the program could not be started or
// failed.
bool run_program(const std::vector<std::string>& command, const std::string& input, std::string* output,
                 std::string* errors = nullptr);

}  // namespace syncsniff
