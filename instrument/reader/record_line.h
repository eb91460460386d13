// One record with its payload <-> one line of text. Knows nothing of chunks or files.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::reader {

// A record of 64 bytes and the payload that follows it, joined.
struct RecordBytes {
  std::string record, payload;
};

// "" when the named fields cannot represent these bytes exactly (reserved bytes set, unknown type).
std::string encode_record(const RecordBytes& bytes);

// Throws std::invalid_argument saying what is wrong with the line.
RecordBytes decode_record(std::string_view line);

// The record and its continuations as they stand in a chunk.
std::string record_group(const RecordBytes& bytes);

}  // namespace syncsniff::reader
