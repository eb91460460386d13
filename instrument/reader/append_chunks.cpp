#include "instrument/reader/append_chunks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "instrument/reader/file_header.h"
#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"
#include "rules/regular_file.h"

namespace syncsniff::reader {
namespace {

std::string as_chunks(uint32_t tid, const std::string& records) {
  std::string out;
  trace::ChunkHeader header{};
  header.magic = trace::kChunkMagic;
  header.tid = tid;
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

bool append_chunks(const std::string& path, uint32_t tid, const std::string& records) {
  const auto header = read_file_header(path);
  if (!header) return false;
  uint32_t chunks = header->chunks;
  const std::string bytes = as_chunks(tid, records);
  if (bytes.empty()) return true;
  std::string ignored;
  const int fd = open_regular_file(path, ignored, O_RDWR);
  if (fd < 0) return false;
  struct stat before{};
  const bool known = fstat(fd, &before) == 0;
  const uint64_t end = trace::kHeaderBytes + uint64_t{chunks} * trace::kChunkBytes;
  // The count is raised last: until then the trace reads as it did before.
  bool done = write_all(fd, bytes, end);
  if (done) {
    chunks += static_cast<uint32_t>(bytes.size() / trace::kChunkBytes);
    done = write_all(fd, std::string(reinterpret_cast<const char*>(&chunks), sizeof chunks),
                     offsetof(trace::FileHeader, chunks));
  }
  // Data after the last chunk that the header counts is never read, so a failure here only wastes space.
  [[maybe_unused]] const int cut = !done && known ? ftruncate(fd, before.st_size) : 0;
  close(fd);
  return done;
}

LargestIds largest_ids(const std::string& path) {
  const MappedFile file(path);
  LargestIds ids;
  for (const ChunkView& chunk : parse_layout(file.data(), file.size(), path).chunks)
    for (size_t i = 0; i < chunk.count; ++i) {
      const char* const record = chunk.records + i * trace::kRecordBytes;
      if (record_type(record) == trace::RecordType::kStack) {
        trace::StackRecord stack;
        std::memcpy(&stack, record, sizeof stack);
        ids.stack = std::max(ids.stack, stack.stack);
      } else if (record_type(record) == trace::RecordType::kPythonCode) {
        trace::PythonCodeRecord code;
        std::memcpy(&code, record, sizeof code);
        ids.code = std::max(ids.code, code.code);
      }
    }
  return ids;
}

}  // namespace syncsniff::reader
