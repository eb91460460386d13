#include "runtime/trace/chunk_writer.h"

#include "runtime/trace/signals_held.h"

namespace syncsniff::trace {
namespace {

constexpr uint32_t kRoom = kChunkBytes - sizeof(ChunkHeader);

// Copies `parts`, one after the other, into the payload records that start at `to`.
void copy_payload(char* to, const void* const* parts, const size_t* sizes, int count) noexcept {
  auto* payload = reinterpret_cast<PayloadRecord*>(to);
  uint16_t filled = kPayloadBytesPerRecord;  // as if a record were full, so that the first byte starts the first record
  --payload;
  for (int i = 0; i < count; ++i) {
    const char* from = static_cast<const char*>(parts[i]);
    for (size_t left = sizes[i]; left > 0;) {
      if (filled == kPayloadBytesPerRecord) {
        ++payload;
        payload->type = static_cast<uint16_t>(RecordType::kPayload);
        filled = 0;
      }
      const size_t free = kPayloadBytesPerRecord - filled;
      const size_t now = left < free ? left : free;
      std::memcpy(payload->data + filled, from, now);
      filled = static_cast<uint16_t>(filled + now);
      payload->bytes = filled;
      from += now;
      left -= now;
    }
  }
}

}  // namespace

bool ChunkWriter::start_chunk() noexcept {
  const SignalsHeld signals_held;
  char* next = file_->allocate_chunk(tid_, sequence_);
  if (next == nullptr) {
    file_->count_dropped();
    return false;
  }
  if (before_ != nullptr) file_->chunk_is_done(before_);
  before_ = chunk_;
  chunk_ = next;
  used_ = 0;
  ++sequence_;
  return true;
}

char* ChunkWriter::reserve(uint32_t bytes) noexcept {
  if (bytes > kRoom || file_ == nullptr || !file_->writable()) return nullptr;
  if (chunk_ == nullptr || used_ + bytes > kRoom)
    if (!start_chunk()) return nullptr;
  return chunk_ + sizeof(ChunkHeader) + used_;
}

bool ChunkWriter::append_group(const void* record, const void* const* parts, const size_t* sizes, int count) noexcept {
  size_t total = 0;
  for (int i = 0; i < count; ++i) total += sizes[i];
  if (total > kLargestPayload) return false;
  const auto payload_records = static_cast<uint32_t>((total + kPayloadBytesPerRecord - 1) / kPayloadBytesPerRecord);
  const uint32_t bytes = (1 + payload_records) * kRecordBytes;
  char* place = reserve(bytes);
  if (place == nullptr) return false;
  std::memcpy(place, record, kRecordBytes);
  copy_payload(place + kRecordBytes, parts, sizes, count);
  publish(bytes);
  return true;
}

bool ChunkWriter::append_text(RecordType type, uint32_t id, const char* text, size_t bytes) noexcept {
  TextRecord record{};
  record.type = static_cast<uint16_t>(type);
  record.id = id;
  if (bytes > kLargestPayload) bytes = kLargestPayload;
  record.bytes = static_cast<uint32_t>(bytes);
  record.time_ns = monotonic_ns();
  const void* part = text;
  return append_group(&record, &part, &bytes, 1);
}

}  // namespace syncsniff::trace
