// Adds records to the trace of a process that has ended. Each kind is in chunks of a reserved tid that no thread has.
#pragma once

#include <cstdint>
#include <string>

namespace syncsniff::reader {

inline constexpr uint32_t kSymbolTid = 0;             // symbols; where a trace has some, it gets no more
inline constexpr uint32_t kSampleTid = ~uint32_t{0};  // samples, with their stacks and code

// `records` end to end as in a chunk. False: the file cannot be extended, and reads as it did before.
bool append_chunks(const std::string& path, uint32_t tid, const std::string& records);

// The largest ids that the trace defines so far.
struct LargestIds {
  uint32_t stack = 0, code = 0;
};
LargestIds largest_ids(const std::string& path);  // throws TraceError

}  // namespace syncsniff::reader
