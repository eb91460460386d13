#include "instrument/reader/layout.h"

#include <cstring>
#include <map>

#include "instrument/reader/trace.h"

namespace syncsniff::reader {
namespace {

using trace::RecordType;

trace::FileHeader parse_header(const char* data, size_t size, const std::string& name) {
  if (size < sizeof trace::kMagic || std::memcmp(data, trace::kMagic, sizeof trace::kMagic) != 0)
    throw TraceError(name + ": not a syncsniff trace; record one with `syncsniff run`");
  if (size < trace::kHeaderBytes)
    throw TraceError(name + ": truncated: the file header is incomplete; copy or record the trace again");
  auto header = load<trace::FileHeader>(data);
  if (!trace::is_readable(header.version))
    throw TraceError(name + ": trace format version " + std::to_string(header.version) + ", this syncsniff reads " +
                     std::to_string(trace::kOldestVersion) + " to " + std::to_string(trace::kVersion) +
                     "; use the syncsniff that recorded it");
  if (header.chunk_bytes != trace::kChunkBytes)
    throw TraceError(name + ": corrupted: chunk size " + std::to_string(header.chunk_bytes) +
                     " in the header; record the trace again");
  return header;
}

ChunkView parse_chunk(const char* bytes, size_t index, const std::string& name) {
  ChunkView view;
  view.header = load<trace::ChunkHeader>(bytes);
  if (view.header.magic == 0 && view.header.used_bytes == 0) return view;
  const std::string where = name + ": corrupted: chunk " + std::to_string(index);
  if (view.header.magic != trace::kChunkMagic) throw TraceError(where + " has a wrong mark; record the trace again");
  if (view.header.used_bytes > kChunkDataBytes)
    throw TraceError(where + " claims more bytes than it has; record the trace again");
  view.started = true;
  view.records = bytes + sizeof(trace::ChunkHeader);
  view.count = view.header.used_bytes / trace::kRecordBytes;
  return view;
}

// A thread numbers its chunks from 0. If a number between two others is missing, that chunk was damaged and its records
// are lost: throws TraceError.
void require_all_chunks(const Layout& layout, const std::string& name) {
  std::map<uint32_t, uint32_t> next;  // tid -> number of its next chunk
  for (size_t i = 0; i < layout.chunks.size(); ++i) {
    const ChunkView& chunk = layout.chunks[i];
    if (!chunk.started) continue;
    uint32_t& expected = next[chunk.header.tid];
    const uint32_t sequence = chunk.header.sequence;
    if (sequence > expected)
      throw TraceError(name + ": corrupted: chunk " + std::to_string(i) + " is number " + std::to_string(sequence) +
                       " of thread " + std::to_string(chunk.header.tid) + ", and number " + std::to_string(expected) +
                       " is missing; copy or record the trace again");
    expected = sequence + 1;
  }
}

}  // namespace

Layout parse_layout(const char* data, size_t size, const std::string& name) {
  Layout layout;
  layout.header = parse_header(data, size, name);
  const uint64_t needed = trace::kHeaderBytes + uint64_t{layout.header.chunks} * trace::kChunkBytes;
  if (size < needed)
    throw TraceError(name + ": truncated: " + std::to_string(size) + " bytes of " + std::to_string(needed) +
                     "; copy or record the trace again");
  layout.chunks.reserve(layout.header.chunks);
  for (uint32_t i = 0; i < layout.header.chunks; ++i)
    layout.chunks.push_back(parse_chunk(data + trace::kHeaderBytes + uint64_t{i} * trace::kChunkBytes, i, name));
  require_all_chunks(layout, name);
  return layout;
}

std::vector<std::vector<const ChunkView*>> chunks_by_thread(const Layout& layout) {
  std::vector<std::vector<const ChunkView*>> streams;
  std::map<uint32_t, size_t> open;  // tid -> its latest stream
  for (const ChunkView& chunk : layout.chunks) {
    if (!chunk.started) continue;
    auto [it, fresh] = open.try_emplace(chunk.header.tid, streams.size());
    // The kernel reuses the tid of a thread that has ended: if the sequence restarts, the chunk belongs to another
    // thread.
    if (!fresh && chunk.header.sequence != streams[it->second].back()->header.sequence + 1) {
      it->second = streams.size();
      fresh = true;
    }
    if (fresh) streams.emplace_back();
    streams[it->second].push_back(&chunk);
  }
  return streams;
}

size_t payload_bytes(const char* record) {
  switch (record_type(record)) {
    case RecordType::kStack:
      return load<trace::StackRecord>(record).payload_bytes;
    case RecordType::kModule: {
      auto module = load<trace::ModuleRecord>(record);
      return size_t{module.build_id_bytes} + module.path_bytes;
    }
    case RecordType::kPythonCode: {
      auto code = load<trace::PythonCodeRecord>(record);
      return size_t{code.file_bytes} + code.name_bytes + code.linetable_bytes;
    }
    case RecordType::kString:
    case RecordType::kThread:
    case RecordType::kNote:
    case RecordType::kApiName:
      return load<trace::TextRecord>(record).bytes;
    case RecordType::kSymbol: {
      auto symbol = load<trace::SymbolRecord>(record);
      return size_t{symbol.function_bytes} + symbol.file_bytes;
    }
    default:
      return 0;
  }
}

}  // namespace syncsniff::reader
