// Converts one record with its payload to one line of text and back. Does not know chunks or files.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::reader {

// A record of 64 bytes and the payload that follows it, joined.
struct RecordBytes {
  std::string record, payload;
};

// Returns "" if the named fields cannot represent these bytes exactly (reserved bytes set, unknown type).
std::string encode_record(const RecordBytes& bytes);

// Throws std::invalid_argument, which says what is wrong with the line.
RecordBytes decode_record(std::string_view line);

// The record and its payload records as in a chunk.
std::string record_group(const RecordBytes& bytes);

}  // namespace syncsniff::reader
