// The mapped trace file: hands out chunks whose blocks are already allocated, so that no store can raise SIGBUS.
// Chunks are handed out under a mutex; writing into them needs none. Never throws, never allocates memory.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "runtime/trace/format.h"

namespace syncsniff::trace {

class TraceFile {
 public:
  // Creates `path` (which must not exist) with room for at most limit_bytes. False: errno says why.
  bool open(const char* path, uint64_t limit_bytes) noexcept;

  // A chunk with its header written; nullptr once recording has stopped.
  char* allocate_chunk(uint32_t tid, uint32_t sequence) noexcept;

  // Writes the end time and reason; the mapping stays, for threads that are still about.
  void close(StopReason reason) noexcept;

  // In a forked child: forget the parent's file, without a store into it.
  void abandon() noexcept;

  // A child of a raw clone() has the parent's mapping, and writes nothing.
  bool owned() const noexcept;
  bool writable() const noexcept { return writable_.load(std::memory_order_acquire); }
  FileHeader* header() const noexcept { return reinterpret_cast<FileHeader*>(base_); }
  void count_dropped() noexcept;

  // Test hook: pretend that the disk is full after so many bytes; 0: never.
  void set_full_after(uint64_t bytes) noexcept { full_after_ = bytes; }

 private:
  bool grow(uint64_t bytes) noexcept;
  void stop(StopReason reason) noexcept;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<bool> writable_{false};
  char* base_ = nullptr;
  int descriptor_ = -1;
  int owner_pid_ = 0;
  uint64_t limit_ = 0, allocated_ = 0, full_after_ = 0;
  uint32_t chunks_ = 0;
};

uint64_t monotonic_ns() noexcept;
uint64_t realtime_ns() noexcept;

}  // namespace syncsniff::trace
