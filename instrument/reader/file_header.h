// What a trace says of its process and itself, without its records; and cutting off what no record will come to.
#pragma once

#include <optional>
#include <string>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

// Nothing where the file has no whole header of a trace that can be read.
std::optional<trace::FileHeader> read_file_header(const std::string& path);

// A process that was killed leaves its trace as long as it might have become, most of it a hole. Not to be called while
// somebody writes.
void trim_trace(const std::string& path);

// The same for a trace that somebody may still write: a copy of what is in it so far takes its name. 0, or an errno;
// then the trace is as it was.
int replace_by_copy(const std::string& path);

}  // namespace syncsniff::reader
