#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"
#include "instrument/reader/places.h"
#include "instrument/reader/record_line.h"
#include "rules/regular_file.h"

namespace syncsniff::reader {
namespace {

// No thread has tid 0, so these chunks never mix with the program's own.
constexpr uint32_t kSymbolTid = 0;

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

std::string as_chunks(const std::string& records) {
  std::string out;
  trace::ChunkHeader header{};
  header.magic = trace::kChunkMagic;
  header.tid = kSymbolTid;
  for (size_t at = 0; at < records.size(); at += kChunkDataBytes, ++header.sequence) {
    const std::string part = records.substr(at, kChunkDataBytes);
    header.used_bytes = static_cast<uint32_t>(part.size());
    out.append(reinterpret_cast<const char*>(&header), sizeof header);
    out += part;
    out.append(kChunkDataBytes - part.size(), '\0');
  }
  return out;
}

bool write_all(int fd, const std::string& bytes, uint64_t offset) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = pwrite(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
    if (wrote <= 0) return false;
    at += static_cast<size_t>(wrote);
  }
  return true;
}

}  // namespace

bool append_symbols(const std::string& path, const Places& places) {
  uint32_t chunks = 0;
  {
    const MappedFile file(path);
    const Layout layout = parse_layout(file.data(), file.size(), path);
    chunks = layout.header.chunks;
    for (const ChunkView& chunk : layout.chunks)
      if (chunk.started && chunk.header.tid == kSymbolTid) return true;
  }
  const std::string bytes = as_chunks(symbol_records(places));
  if (bytes.empty()) return true;
  std::string ignored;
  const int fd = open_regular_file(path, ignored, O_RDWR);
  if (fd < 0) return false;
  struct stat before {};
  const bool known = fstat(fd, &before) == 0;
  const uint64_t end = trace::kHeaderBytes + uint64_t{chunks} * trace::kChunkBytes;
  // The count is raised last: until then the trace reads as it did before.
  bool done = write_all(fd, bytes, end);
  if (done) {
    chunks += static_cast<uint32_t>(bytes.size() / trace::kChunkBytes);
    done = write_all(fd, std::string(reinterpret_cast<const char*>(&chunks), sizeof chunks),
                     offsetof(trace::FileHeader, chunks));
  }
  // What stays behind the last chunk that counts is never read: a failure here costs room alone.
  [[maybe_unused]] const int cut = !done && known ? ftruncate(fd, before.st_size) : 0;
  close(fd);
  return done;
}

}  // namespace syncsniff::reader
