// Finds all errors that can be known before the program starts. Each error is one line that says what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace syncsniff::launcher {

class LaunchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Returns the file that `command` names, as execvp would find it. Throws LaunchError if it cannot be run with a
// preloaded library: missing, not executable, setuid or with capabilities, statically linked, not x86-64. Follows `#!`.
std::string check_command(const std::string& command);

// Throws LaunchError if no trace can be written at `path`: it exists, or its folder is missing, read-only or full.
void check_output(const std::string& path);

// Returns ./syncsniff-<name>-<pid>.sstrace, with a number appended if that exists.
std::string default_output(const std::string& command);

}  // namespace syncsniff::launcher
