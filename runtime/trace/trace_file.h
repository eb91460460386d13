// The mapped trace file: hands out chunks whose blocks are already allocated, so that no store can raise SIGBUS.
// Chunks are handed out under a mutex; writing into them needs none. Never throws, never allocates memory, holds no
// descriptor. All zeros is a file that was never opened: so a child finds it whose memory the kernel wiped.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "runtime/trace/format.h"
#include "runtime/trace/trace_mapping.h"

namespace syncsniff::trace {

class TraceFile {
 public:
  // Makes `path` (which must not exist, and whose text must stay) with room for at most limit_bytes. 0, or an errno as
  // make_mapping() tells it.
  int open(const char* path, uint64_t limit_bytes) noexcept;

  // A chunk with its header written; nullptr once recording has stopped.
  char* allocate_chunk(uint32_t tid, uint32_t sequence) noexcept;

  // A chunk that its thread has filled: the program's resident memory must not grow with the trace. The counters in it
  // that are updated in place come back with the next update.
  void chunk_is_done(char* chunk) noexcept;
  // A record was updated long after its chunk was done: its pages go again. One such update a window kept 2 MB resident
  // each time where the page cache has folios of that size.
  void updated_once_more(const void* record) noexcept;

  // Writes the end time and reason; the mapping stays, for threads that are still about.
  void close(StopReason reason) noexcept;

  // In a forked child: forget the parent's file, without a store into it.
  void abandon() noexcept;

  // A child of a raw clone() has the parent's mapping, and writes nothing.
  bool owned() const noexcept;
  bool writable() const noexcept { return writable_.load(std::memory_order_acquire); }
  uint64_t limit_bytes() const noexcept { return mapping_.bytes; }
  Bound bound() const noexcept { return mapping_.bound; }
  FileHeader* header() const noexcept { return reinterpret_cast<FileHeader*>(mapping_.base); }
  void count_dropped() noexcept;
  void count_nested(bool waits) noexcept;

  // Test hook: pretend that the disk is full after so many bytes; 0: never.
  void set_full_after(uint64_t bytes) noexcept { full_after_ = bytes; }

 private:
  bool has_room(uint64_t offset, uint64_t bytes) const noexcept;
  void stop(StopReason reason) noexcept;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<bool> writable_{false};
  int owner_pid_ = 0;
  uint32_t chunks_ = 0;
  uint64_t full_after_ = 0;
  const char* path_ = nullptr;
  TraceMapping mapping_{};
};

uint64_t monotonic_ns() noexcept;
uint64_t realtime_ns() noexcept;

}  // namespace syncsniff::trace
