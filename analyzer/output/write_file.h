// Puts a file in place whole or not at all: a temporary beside it, then a rename.
// Knows nothing of what it writes.
#pragma once

#include <string>

namespace syncsniff::output {

// Keeps the mode and the extended attributes of a file that is already there, and follows symlinks, so that the link
// stays and its target changes. Devices and pipes (/dev/stdout) are written straight. Errors: std::runtime_error "PATH:
// reason"; the old file is whole.
void write_file_atomically(const std::string& path, const std::string& content);

}  // namespace syncsniff::output
