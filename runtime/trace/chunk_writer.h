// Appends the records of one thread to that thread's chunk. A record is valid once it is complete: used_bytes is stored
// after it with release order, so a reader of a killed process's trace never sees half a record.
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
  // From now on the writer belongs to another thread and fills the rest of the chunk. It writes nothing to the trace:
  // the caller must have appended a kThread record.
  void hand_to(uint32_t tid) noexcept {
    tid_ = tid;
    sequence_ = 0;
  }

  // Space for `bytes` contiguous bytes (a multiple of kRecordBytes), which count only after publish(); nullptr when
  // recording has stopped.
  char* reserve(uint32_t bytes) noexcept;
  void publish(uint32_t bytes) noexcept {
    __atomic_signal_fence(__ATOMIC_RELEASE);  // a jump out of a signal handler here leaves complete records only
    used_ += bytes;
    // The next two records go to memory that nobody has written yet: without a prefetch, the program would wait for a
    // cache miss for each.
    __builtin_prefetch(chunk_ + sizeof(ChunkHeader) + used_, 1);
    __builtin_prefetch(chunk_ + sizeof(ChunkHeader) + used_ + kRecordBytes, 1);
    __atomic_store_n(&reinterpret_cast<ChunkHeader*>(chunk_)->used_bytes, used_, __ATOMIC_RELEASE);
  }

  // Appends one record. Returns its address, for records that are updated in place, or nullptr if it was not written.
  template <class Record>
  Record* append(const Record& record) noexcept {
    static_assert(sizeof(Record) == kRecordBytes);
    char* place = reserve(kRecordBytes);
    if (place == nullptr) return nullptr;
    std::memcpy(place, &record, kRecordBytes);
    publish(kRecordBytes);
    return reinterpret_cast<Record*>(place);
  }

  // Appends a record and its payload in kPayload records. Returns false if they do not fit or recording has stopped;
  // then nothing is written.
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
  // The full chunk before this one, whose pages are not released yet. Its last records may still be updated in place,
  // and that would map its pages again, 64 KB at once where the page cache uses large folios: 114 MB in ten minutes of
  // a PyTorch trainer.
  char* before_ = nullptr;
  uint32_t used_ = 0, sequence_ = 0, tid_ = 0;
};

}  // namespace syncsniff::trace
