#include <cstring>
#include <map>

#include "instrument/reader/layout.h"
#include "instrument/reader/record_line.h"
#include "instrument/reader/text_fields.h"
#include "instrument/reader/text_twin.h"
#include "instrument/reader/trace.h"

namespace syncsniff::reader {
namespace {

// Limit of a trace's size. `chunk tid=1` is 12 bytes of text and 64 KiB of trace. Whatever `run` records is within the
// limit (1 GiB by default, also with many threads that make few calls each), but a small text cannot fill a disk.
constexpr size_t kFreeBytes = size_t{1} << 30, kBytesPerTextByte = 64;

class TraceAssembler {
 public:
  explicit TraceAssembler(size_t text_bytes)
      : max_chunks_((kFreeBytes + text_bytes * kBytesPerTextByte) / trace::kChunkBytes) {}

  void line(std::string_view text) {
    FieldReader reader(text);
    const std::string& keyword = reader.keyword();
    if (keyword.empty()) return reader.finish();
    if (keyword == "trace") return set_header(reader);
    if (!has_header_) throw std::invalid_argument("the first line must be a `trace` line");
    if (keyword == "chunk") return start_chunk(reader);
    if (chunks_.empty() || !chunks_.back().header.magic)
      throw std::invalid_argument("a record needs a `chunk` line before it");
    if (keyword == "raw") return add_raw(reader);
    add(record_group(decode_record(text)));
  }

  std::string bytes() {
    if (!has_header_) throw std::invalid_argument("no `trace` line");
    for (size_t i = 0; i < chunks_.size(); ++i)  // records that did not fit in a thread's last chunk
      if (auto it = pending_.find(chunks_[i].header.tid); it != pending_.end() && !it->second.empty()) {
        const auto header = chunks_[last_of_[chunks_[i].header.tid]].header;
        open(header.tid, header.sequence + 1);
      }
    header_.chunks = static_cast<uint32_t>(chunks_.size());
    std::string out(reinterpret_cast<const char*>(&header_), sizeof header_);
    for (Chunk& chunk : chunks_) {
      chunk.header.used_bytes = static_cast<uint32_t>(chunk.records.size());
      out.append(reinterpret_cast<const char*>(&chunk.header), sizeof chunk.header);
      out += chunk.records;
      out.append(kChunkDataBytes - chunk.records.size(), '\0');
    }
    return out;
  }

 private:
  struct Chunk {
    trace::ChunkHeader header{};
    std::string records;
  };

  void set_header(FieldReader& reader) {
    if (has_header_) throw std::invalid_argument("a second `trace` line");
    has_header_ = true;
    std::memcpy(header_.magic, trace::kMagic, sizeof header_.magic);
    header_.version = trace::kVersion;
    header_.chunk_bytes = trace::kChunkBytes;
    visit_fields(header_, reader);
    auto fixed = [&](const char* name, char* bytes, size_t capacity) {
      std::string value;
      if (!reader.take(name, &value)) return;
      if (value.size() > capacity) throw std::invalid_argument(std::string(name) + " is too long");
      std::memcpy(bytes, value.data(), value.size());
    };
    fixed("executable", header_.executable, sizeof header_.executable);
    fixed("command", header_.command_line, sizeof header_.command_line);
    fixed("reserved", header_.reserved, sizeof header_.reserved);
    reader.finish();
  }

  void start_chunk(FieldReader& reader) {
    if (reader.take_word("empty")) {
      reader.finish();
      return add_chunk({});
    }
    uint32_t tid = 0, sequence = 0;
    reader.num("tid", tid);
    reader.num("sequence", sequence);
    reader.finish();
    open(tid, sequence);
  }

  void open(uint32_t tid, uint32_t sequence) {
    Chunk chunk;
    chunk.header.magic = trace::kChunkMagic;
    chunk.header.tid = tid;
    chunk.header.sequence = sequence;
    std::string& waiting = pending_[tid];
    chunk.records = waiting.substr(0, kChunkDataBytes);
    waiting.erase(0, chunk.records.size());
    last_of_[tid] = chunks_.size();
    add_chunk(std::move(chunk));
  }

  void add_chunk(Chunk chunk) {
    if (chunks_.size() == max_chunks_)
      throw std::invalid_argument("one chunk of 64 KiB too many: a trace of this text has at most " +
                                  std::to_string(max_chunks_) + " (1 GiB, and 64 bytes a byte of text)");
    chunks_.push_back(std::move(chunk));
  }

  void add(const std::string& group) {
    const uint32_t tid = chunks_.back().header.tid;
    std::string& waiting = pending_[tid];
    if (!waiting.empty() || chunks_.back().records.size() == kChunkDataBytes)
      throw std::invalid_argument("the chunk is full: start the next one with a `chunk` line");
    const size_t fits = kChunkDataBytes - chunks_.back().records.size();
    chunks_.back().records += group.substr(0, fits);
    if (group.size() > fits) waiting = group.substr(fits);
  }

  void add_raw(FieldReader& reader) {
    std::string digits;
    if (!reader.take("bytes", &digits)) throw std::invalid_argument("raw needs bytes=");
    reader.finish();
    std::string bytes = from_hex(digits);
    if (bytes.size() > trace::kRecordBytes) throw std::invalid_argument("a raw record has at most 64 bytes");
    bytes.resize(trace::kRecordBytes, '\0');
    add(bytes);
  }

  const size_t max_chunks_;
  trace::FileHeader header_{};
  bool has_header_ = false;
  std::vector<Chunk> chunks_;
  std::map<uint32_t, std::string> pending_;
  std::map<uint32_t, size_t> last_of_;
};

}  // namespace

std::string undump_trace(const std::string& text, const std::string& name) {
  TraceAssembler assembler(text.size());
  size_t number = 0;
  try {
    for (size_t at = 0; at < text.size();) {
      ++number;
      const size_t end = std::min(text.find('\n', at), text.size());
      assembler.line(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
    return assembler.bytes();
  } catch (const std::invalid_argument& error) {
    throw TraceError(name + ":" + std::to_string(number) + ": " + error.what());
  }
}

}  // namespace syncsniff::reader
