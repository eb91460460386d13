// Reads the header of a trace without its records, and truncates a trace behind its last chunk.
#pragma once

#include <optional>
#include <string>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

// Nothing where the file has no whole header of a trace that can be read.
std::optional<trace::FileHeader> read_file_header(const std::string& path);

// The trace of a process that was killed still has its full reserved length, most of it a hole: truncates it. Not to be
// called while a process may write it.
void trim_trace(const std::string& path);

// The same for a trace that somebody may still write: a copy of what is in it so far takes its name. 0, or an errno;
// then the trace is as it was.
int replace_by_copy(const std::string& path);

}  // namespace syncsniff::reader
