// Marks a trace whose process exited by _exit: the launcher saw the exit, but the shim could not note it.
#pragma once

#include <string>

namespace syncsniff::reader {

// Marks that process `pid` exited and was not killed, if the trace is its and has no end. The end time stays unknown.
// Other traces, and those that cannot be written, stay unchanged.
void mark_exit(const std::string& path, int pid);

}  // namespace syncsniff::reader
