#include <map>

#include "instrument/reader/append_chunks.h"
#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"
#include "instrument/reader/places.h"
#include "instrument/reader/record_line.h"

namespace syncsniff::reader {
namespace {

std::string symbol_records(const Places& places) {
  std::map<uint64_t, std::vector<SymbolFrame>> ordered(places.symbols().begin(), places.symbols().end());
  std::string records;
  for (const auto& [address, chain] : ordered)
    for (const SymbolFrame& frame : chain) {
      trace::SymbolRecord record{};
      record.type = static_cast<uint16_t>(trace::RecordType::kSymbol);
      record.line = frame.line;
      record.address = address;
      record.function_bytes = static_cast<uint32_t>(frame.function.size());
      record.file_bytes = static_cast<uint32_t>(frame.file.size());
      records += record_group(
          {std::string(reinterpret_cast<const char*>(&record), sizeof record), frame.function + frame.file});
    }
  return records;
}

}  // namespace

bool append_symbols(const std::string& path, const Places& places) {
  {
    const MappedFile file(path);
    for (const ChunkView& chunk : parse_layout(file.data(), file.size(), path).chunks)
      if (chunk.started && chunk.header.tid == kSymbolTid) return true;
  }
  return append_chunks(path, kSymbolTid, symbol_records(places));
}

}  // namespace syncsniff::reader
