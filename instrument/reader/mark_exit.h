// Marks a trace whose process left by _exit: the launcher saw it exit, but the shim had no chance to note it.
#pragma once

#include <string>

namespace syncsniff::reader {

// For a trace of process `pid` that has no end: the process exited and was not killed. Its end time stays unknown.
// Other traces, and those that cannot be written, stay unchanged.
void mark_exit(const std::string& path, int pid);

}  // namespace syncsniff::reader
