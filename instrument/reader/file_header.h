// Reads the header of a trace without its records, and truncates a trace after its last chunk.
#pragma once

#include <optional>
#include <string>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

// Returns nullopt if the file has no complete, readable trace header.
std::optional<trace::FileHeader> read_file_header(const std::string& path);

// Truncates the trace of a process that was killed: it still has its full reserved length, most of it a hole. Must not
// be called while a process may write it.
void trim_trace(const std::string& path);

// The same for a trace that a process may still write: replaces it by a copy of its current content. Returns 0, or an
// errno if the trace was left as it was.
int replace_by_copy(const std::string& path);

}  // namespace syncsniff::reader
