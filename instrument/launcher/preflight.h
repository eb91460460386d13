// Finds all errors that can be known before the program starts. Each error is one line that says what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace syncsniff::launcher {

class LaunchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file that `command` names, as execvp would find it. Throws LaunchError when it cannot be run with a preloaded
// library: missing, not executable, setuid or with capabilities, statically linked, not x86-64. Follows `#!`.
std::string check_command(const std::string& command);

// Throws LaunchError when a trace cannot be written at `path`: it exists, or its folder is missing, read-only or full.
void check_output(const std::string& path);

// ./syncsniff-<name>-<pid>.sstrace, with a number behind when that exists.
std::string default_output(const std::string& command);

}  // namespace syncsniff::launcher
