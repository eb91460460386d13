// Files that the user named for output: they are created, and never replace an existing file. Devices and pipes are
// written to.
#pragma once

#include <string>

namespace syncsniff::launcher {

// Throws LaunchError when `path` is a file already, or its folder is missing or cannot be written in. `option` is what
// the user is told to change.
void check_new_file(const std::string& path, const std::string& option);

// Writes the file whole or not at all. Throws LaunchError, also when it has come into being since the check.
void write_new_file(const std::string& path, const std::string& bytes, const std::string& option, unsigned mode = 0666);

}  // namespace syncsniff::launcher
