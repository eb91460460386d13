// One thread's end of the trace: appends records to that thread's chunk. A record counts once it is whole:
// used_bytes is stored with release order after it, so a reader of a killed process never sees half of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/trace/trace_file.h"

namespace syncsniff::trace {

class ChunkWriter {
 public:
  void start(TraceFile* file, uint32_t tid) noexcept {
    file_ = file;
    tid_ = tid;
    chunk_ = nullptr;
    used_ = sequence_ = 0;
  }
  // Another thread's writer from now on, in what is left of the chunk. Says nothing in the trace: a kThread record must
  // come first.
  void hand_to(uint32_t tid) noexcept {
    tid_ = tid;
    sequence_ = 0;
  }

  // Room for `bytes` on end (a multiple of kRecordBytes), not yet counted; nullptr when recording has stopped.
  char* reserve(uint32_t bytes) noexcept;
  void publish(uint32_t bytes) noexcept {
    __atomic_signal_fence(__ATOMIC_RELEASE);  // whoever jumps out of a signal handler here leaves whole records only
    used_ += bytes;
    // Where the next two go nobody has written before: a miss each, which the program would wait for.
    __builtin_prefetch(chunk_ + sizeof(ChunkHeader) + used_, 1);
    __builtin_prefetch(chunk_ + sizeof(ChunkHeader) + used_ + kRecordBytes, 1);
    __atomic_store_n(&reinterpret_cast<ChunkHeader*>(chunk_)->used_bytes, used_, __ATOMIC_RELEASE);
  }

  // Appends one record; the place where it lies (for records updated in place), or nullptr.
  template <class Record>
  Record* append(const Record& record) noexcept {
    static_assert(sizeof(Record) == kRecordBytes);
    char* place = reserve(kRecordBytes);
    if (place == nullptr) return nullptr;
    std::memcpy(place, &record, kRecordBytes);
    publish(kRecordBytes);
    return reinterpret_cast<Record*>(place);
  }

  // Appends a record and its payload in kPayload records; false when it cannot be written whole.
  template <class Record>
  bool append_with_payload(const Record& record, const void* const* parts, const size_t* sizes, int count) noexcept {
    return append_group(&record, parts, sizes, count);
  }
  bool append_text(RecordType type, uint32_t id, const char* text, size_t bytes) noexcept;

  static constexpr size_t kLargestPayload =
      (kChunkBytes - sizeof(ChunkHeader) - kRecordBytes) / kRecordBytes * kPayloadBytesPerRecord;

 private:
  [[gnu::cold, gnu::noinline]] bool start_chunk() noexcept;
  bool append_group(const void* record, const void* const* parts, const size_t* sizes, int count) noexcept;

  TraceFile* file_ = nullptr;
  char* chunk_ = nullptr;
  // The full one before it. Its last records may still be updated in place, and that would map its pages again, 64 KB
  // at once where the page cache uses large folios: 114 MB in ten minutes of a PyTorch trainer.
  char* before_ = nullptr;
  uint32_t used_ = 0, sequence_ = 0, tid_ = 0;
};

}  // namespace syncsniff::trace
