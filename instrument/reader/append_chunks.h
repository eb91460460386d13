// Adds records to the trace of a process that has ended. Each kind of record is in chunks of a reserved tid that no
// thread has.
#pragma once

#include <cstdint>
#include <string>

namespace syncsniff::reader {

inline constexpr uint32_t kSymbolTid = 0;             // symbols; they are added only to a trace that has none
inline constexpr uint32_t kSampleTid = ~uint32_t{0};  // samples, with their stacks and code

// `records`: contiguous, as in a chunk. Returns false if the file cannot be extended; it then reads as before.
bool append_chunks(const std::string& path, uint32_t tid, const std::string& records);

// The largest ids that the trace defines so far.
struct LargestIds {
  uint32_t stack = 0, code = 0;
};
LargestIds largest_ids(const std::string& path);  // throws TraceError

}  // namespace syncsniff::reader
