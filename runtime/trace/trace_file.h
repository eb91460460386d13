// The mapped trace file. It hands out chunks whose blocks are already allocated, so that no store can raise SIGBUS.
// Handing out takes a mutex, writing into a chunk does not. Never throws, never allocates memory, holds no descriptor.
// An object of all zeros is a file that was never opened: that is what a child finds whose memory the kernel wiped at
// fork.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "runtime/trace/format.h"
#include "runtime/trace/trace_mapping.h"

namespace syncsniff::trace {

class TraceFile {
 public:
  // Creates `path` (which must not exist, and whose text must outlive this object) with room for at most limit_bytes.
  // Returns 0 or an errno, as make_mapping() does.
  int open(const char* path, uint64_t limit_bytes) noexcept;

  // Returns a chunk whose header is written; nullptr once recording has stopped.
  char* allocate_chunk(uint32_t tid, uint32_t sequence) noexcept;

  // Called when a thread has filled the chunk: releases its pages, so that the program's resident memory does not grow
  // with the trace. An in-place update of one of its counters maps its page again.
  void chunk_is_done(char* chunk) noexcept;
  // Called when a record was updated after its chunk was done: releases the chunk's pages again. Without this, one such
  // update per window kept 2 MB resident each time where the page cache has folios of that size.
  void updated_once_more(const void* record) noexcept;

  // Called by a thread of ours, again and again: makes room for the chunks that will be handed out next and releases
  // the done ones. Both take 70 us a chunk, a thousand records, and otherwise the program's threads do them.
  void keep_ahead() noexcept;

  // Writes the end time and the reason. The mapping stays valid for threads that still run.
  void close(StopReason reason) noexcept;

  // Called in a forked child: forgets the parent's file without storing into it.
  void abandon() noexcept;

  // False in a child of a raw clone(): it has the parent's mapping but must not write.
  bool owned() const noexcept;
  bool writable() const noexcept { return writable_.load(std::memory_order_acquire); }
  uint64_t limit_bytes() const noexcept { return mapping_.bytes; }
  Bound bound() const noexcept { return mapping_.bound; }
  FileHeader* header() const noexcept { return reinterpret_cast<FileHeader*>(mapping_.base); }
  void count_dropped() noexcept;
  void count_nested(bool waits) noexcept;

  // For tests: act as if the disk were full after this many bytes; 0: never.
  void set_full_after(uint64_t bytes) noexcept { full_after_ = bytes; }

 private:
  static constexpr unsigned kMostDone = 128;

  bool has_room(uint64_t offset, uint64_t bytes) const noexcept;
  uint64_t end_of_chunks() const noexcept { return kHeaderBytes + static_cast<uint64_t>(chunks_) * kChunkBytes; }
  bool leave_to_keeper(char* chunk) noexcept;
  void release_done() noexcept;
  void stop(StopReason reason) noexcept;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<bool> writable_{false};
  int owner_pid_ = 0;
  uint32_t chunks_ = 0;
  uint64_t full_after_ = 0;
  const char* path_ = nullptr;
  TraceMapping mapping_{};
  std::atomic<uint64_t> has_room_until_{0};  // chunks that end before this offset have room; set by keep_ahead() alone
  // Protected by mutex_.
  char* done_[kMostDone] = {};
  unsigned done_count_ = 0;
  uint64_t end_before_ = 0;  // end_of_chunks() when keep_ahead() was last called; 0: it never was
};

uint64_t monotonic_ns() noexcept;
uint64_t realtime_ns() noexcept;

}  // namespace syncsniff::trace
