// Converts a trace to lines of text and back: `dump` and `undump`. Grammar: docs/trace-format.md. Lossless: bytes that
// the named fields cannot represent are written as raw bytes.
#pragma once

#include <iosfwd>
#include <string>

namespace syncsniff::reader {

// Throws TraceError if the bytes are not a trace.
void dump_trace(const char* data, size_t size, const std::string& name, std::ostream& out);

// Returns the bytes of the trace that `text` describes. Throws TraceError: "name:line: what is wrong".
std::string undump_trace(const std::string& text, const std::string& name);

}  // namespace syncsniff::reader
