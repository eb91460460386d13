// Writes traces that the user named for output: they are created, and never replace an existing file. Devices and pipes
// are written to directly.
#pragma once

#include <string>

namespace syncsniff::launcher {

// True for devices and pipes. /dev/stdout may be a regular file; it was opened by the caller, so it is appended to.
bool is_stream(const std::string& path);

// Throws LaunchError if `path` exists as a file, or its folder is missing or not writable. `option`: the option that
// the message tells the user to change.
void check_new_file(const std::string& path, const std::string& option);

// Writes the file completely or not at all. Throws LaunchError, also if the file has been created since the check.
void write_new_file(const std::string& path, const std::string& bytes, const std::string& option, unsigned mode = 0666);

}  // namespace syncsniff::launcher
