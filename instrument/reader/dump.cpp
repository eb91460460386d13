#include <map>
#include <ostream>

#include "instrument/reader/layout.h"
#include "instrument/reader/record_line.h"
#include "instrument/reader/text_fields.h"
#include "instrument/reader/text_twin.h"
#include "instrument/reader/trace.h"

namespace syncsniff::reader {
namespace {

void dump_header(const trace::FileHeader& original, std::ostream& out) {
  trace::FileHeader header = original;
  std::string line = "trace";
  FieldWriter writer(line);
  visit_fields(header, writer);
  auto fixed = [&](const char* name, const char* bytes, size_t capacity) {
    while (capacity > 0 && bytes[capacity - 1] == '\0') --capacity;
    if (capacity > 0) writer.text(name, quote(std::string_view(bytes, capacity)));
  };
  fixed("executable", header.executable, sizeof header.executable);
  fixed("command", header.command_line, sizeof header.command_line);
  fixed("reserved", header.reserved, sizeof header.reserved);
  out << line << '\n';
}

class ChunkDumper {
 public:
  ChunkDumper(const Layout& layout, std::ostream& out) : layout_(layout), out_(out) {
    for (const auto& stream : chunks_by_thread(layout))
      for (size_t i = 0; i + 1 < stream.size(); ++i) next_[stream[i]] = stream[i + 1];
  }

  void dump() {
    for (const ChunkView& chunk : layout_.chunks) {
      if (!chunk.started) {
        out_ << "chunk empty\n";
        continue;
      }
      std::string line = "chunk";
      FieldWriter writer(line);
      writer.num("tid", chunk.header.tid);
      writer.num("sequence", chunk.header.sequence);
      out_ << line << '\n';
      for (size_t i = consumed_[&chunk]; i < chunk.count;) i += dump_group(chunk, i);
    }
  }

 private:
  // Writes the record at `index`; returns how many records of this chunk, with continuations, were written.
  size_t dump_group(const ChunkView& chunk, size_t index) {
    const char* first = chunk.records + index * trace::kRecordBytes;
    RecordBytes bytes{std::string(first, trace::kRecordBytes), ""};
    const size_t parts = (payload_bytes(first) + trace::kPayloadBytesPerRecord - 1) / trace::kPayloadBytesPerRecord;
    const size_t here = std::min(parts, chunk.count - index - 1);
    std::string group = bytes.record + std::string(first + trace::kRecordBytes, here * trace::kRecordBytes);
    const ChunkView* next = nullptr;
    if (here < parts) {  // only if the chunk is full may the payload continue in its thread's next chunk
      auto it = next_.find(&chunk);
      if (chunk.count != kRecordsPerChunk || it == next_.end() || it->second->count < parts - here)
        return raw(group, 1);
      next = it->second;
      group.append(next->records, (parts - here) * trace::kRecordBytes);
    }
    for (size_t i = 1; i <= parts; ++i) {
      trace::PayloadRecord part;
      __builtin_memcpy(&part, group.data() + i * trace::kRecordBytes, sizeof part);
      bytes.payload.append(part.data, std::min<size_t>(part.bytes, sizeof part.data));
    }
    const std::string line = encode_record(bytes);
    if (line.empty() || record_group(bytes) != group) return raw(group, 1);
    if (next != nullptr) consumed_[next] = parts - here;
    out_ << line << '\n';
    return 1 + here;
  }

  size_t raw(const std::string& group, size_t records) {
    std::string_view bytes = std::string_view(group).substr(0, records * trace::kRecordBytes);
    while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
    out_ << "raw bytes=" << to_hex(bytes) << '\n';
    return records;
  }

  const Layout& layout_;
  std::ostream& out_;
  std::map<const ChunkView*, const ChunkView*> next_;
  std::map<const ChunkView*, size_t> consumed_;
};

}  // namespace

void dump_trace(const char* data, size_t size, const std::string& name, std::ostream& out) {
  const Layout layout = parse_layout(data, size, name);
  dump_header(layout.header, out);
  ChunkDumper(layout, out).dump();
}

}  // namespace syncsniff::reader
