// Parses a trace file into header and chunks, with checked bounds; used by reader and dump. The result refers to the
// caller's bytes and must not outlive them.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

inline constexpr size_t kChunkDataBytes = trace::kChunkBytes - sizeof(trace::ChunkHeader);
inline constexpr size_t kRecordsPerChunk = kChunkDataBytes / trace::kRecordBytes;

// A record or header of a file, whose bytes need not be aligned.
template <class Record>
Record load(const char* bytes) {
  Record record;
  std::memcpy(&record, bytes, sizeof record);
  return record;
}

struct ChunkView {
  trace::ChunkHeader header{};
  const char* records = nullptr;
  size_t count = 0;      // whole records
  bool started = false;  // false: blocks allocated, never written
};

struct Layout {
  trace::FileHeader header{};
  std::vector<ChunkView> chunks;  // file order
};

// Throws TraceError, whose message begins with `name`.
Layout parse_layout(const char* data, size_t size, const std::string& name);

// The started chunks of each thread in order; threads in order of their first chunk.
std::vector<std::vector<const ChunkView*>> chunks_by_thread(const Layout& layout);

// How many payload bytes follow a record, according to its own fields; 0 for records without payload.
size_t payload_bytes(const char* record);

inline trace::RecordType record_type(const char* record) {
  uint16_t type;
  __builtin_memcpy(&type, record, sizeof type);
  return static_cast<trace::RecordType>(type);
}

}  // namespace syncsniff::reader
