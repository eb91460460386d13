// A trace as lines of text and back: `dump` and `undump`. Grammar: docs/trace-format.md. Lossless: what the named
// fields cannot represent is written as raw bytes.
#pragma once

#include <iosfwd>
#include <string>

namespace syncsniff::reader {

// Throws TraceError when the bytes are no trace.
void dump_trace(const char* data, size_t size, const std::string& name, std::ostream& out);

// The bytes of the trace that `text` describes. Throws TraceError: "name:line: what is wrong".
std::string undump_trace(const std::string& text, const std::string& name);

}  // namespace syncsniff::reader
