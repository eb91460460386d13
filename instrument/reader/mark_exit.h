// Marks a trace whose process left by _exit: the launcher saw it exit, the shim was given no time to say so.
#pragma once

#include <string>

namespace syncsniff::reader {

// For a trace of process `pid` that says of no end: it exited, and was not killed. Its end time stays unknown.
// Other traces, and those that cannot be written, stay as they are.
void mark_exit(const std::string& path, int pid);

}  // namespace syncsniff::reader
