// Replaces a file completely or not at all: writes a temporary file next to it, then renames it.
#pragma once

#include <string>

namespace syncsniff {

// Keeps the mode and the extended attributes of an existing file, and follows symlinks, so that the link stays and its
// target changes. Writes devices and pipes (/dev/stdout) directly. Throws std::runtime_error "PATH: reason"; the old
// file is then unchanged.
void write_file_atomically(const std::string& path, const std::string& content);

}  // namespace syncsniff
