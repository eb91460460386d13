#include "runtime/trace/trace_file.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/trace/errno_kept.h"
#include "runtime/trace/mutex_held.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::trace {
namespace {

// A trace without room for the first chunks of a few threads is useless.
constexpr uint64_t kLeastBytes = kHeaderBytes + 16 * kChunkBytes;

// So much room is kept ahead: twice what was handed out since the last look, within these limits.
constexpr uint64_t kLeastAhead = 4 * kChunkBytes, kMostAhead = 128 * kChunkBytes;

uint64_t read_clock(clockid_t clock) noexcept {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t monotonic_ns() noexcept { return read_clock(CLOCK_MONOTONIC); }
uint64_t realtime_ns() noexcept { return read_clock(CLOCK_REALTIME); }

int TraceFile::open(const char* path, uint64_t limit_bytes) noexcept {
  const uint64_t wanted = limit_bytes < kLeastBytes ? kLeastBytes : limit_bytes;
  if (const int error = make_mapping(path, wanted, kLeastBytes, mapping_)) return mapping_ = {}, error;
  path_ = path;
  owner_pid_ = getpid();
  FileHeader* head = header();
  std::memcpy(head->magic, kMagic, sizeof(kMagic));
  head->version = kVersion;
  head->chunk_bytes = kChunkBytes;
  head->pid = static_cast<uint32_t>(owner_pid_);
  head->ppid = static_cast<uint32_t>(getppid());
  head->start_monotonic_ns = monotonic_ns();
  head->start_realtime_ns = realtime_ns();
  writable_.store(true, std::memory_order_release);
  return 0;
}

bool TraceFile::has_room(uint64_t offset, uint64_t bytes) const noexcept {
  if (full_after_ != 0 && offset + bytes > full_after_) return false;
  return make_room(mapping_.base + offset, bytes);
}

bool TraceFile::owned() const noexcept { return getpid() == owner_pid_; }

char* TraceFile::allocate_chunk(uint32_t tid, uint32_t sequence) noexcept {
  const ErrnoKept errno_kept;
  if (!writable()) return nullptr;
  const MutexHeld held(mutex_);
  const uint64_t begin_ns = monotonic_ns();
  char* chunk = nullptr;
  const uint64_t offset = end_of_chunks();
  // A raw clone() skips the fork handlers: a process that is not the owner never writes.
  if (!writable() || !owned()) {
  } else if (offset + kChunkBytes > mapping_.bytes) {
    stop(mapping_.bound == Bound::kFileSize ? StopReason::kDiskFull : StopReason::kSizeLimit);
  } else if (offset + kChunkBytes > has_room_until_.load(std::memory_order_acquire) && !has_room(offset, kChunkBytes)) {
    stop(StopReason::kDiskFull);
  } else {
    // All pages of the chunk are present after this one call; otherwise each would fault between two of the program's
    // launches.
    chunk = mapping_.base + offset;
    auto* head = reinterpret_cast<ChunkHeader*>(chunk);
    head->magic = kChunkMagic;
    head->tid = tid;
    head->sequence = sequence;
    ++chunks_;
    header()->storage_ns += monotonic_ns() - begin_ns;
    __atomic_store_n(&header()->chunks, chunks_, __ATOMIC_RELEASE);
  }
  return chunk;
}

void TraceFile::chunk_is_done(char* chunk) noexcept {
  const ErrnoKept errno_kept;
  if (!leave_to_keeper(chunk)) release_pages(chunk, kChunkBytes);
}

bool TraceFile::leave_to_keeper(char* chunk) noexcept {
  const MutexHeld held(mutex_);
  if (end_before_ == 0 || done_count_ == kMostDone) return false;
  done_[done_count_++] = chunk;
  return true;
}

void TraceFile::release_done() noexcept {
  char* done[kMostDone];
  unsigned count = 0;
  {
    const MutexHeld held(mutex_);
    count = std::exchange(done_count_, 0);
    std::copy(done_, done_ + count, done);
  }
  for (unsigned i = 0; i < count; ++i) release_pages(done[i], kChunkBytes);
}

void TraceFile::keep_ahead() noexcept {
  if (!writable() || !owned()) return;
  const ErrnoKept errno_kept;
  uint64_t before = 0, end = 0;
  {
    const MutexHeld held(mutex_);
    end = end_of_chunks();
    before = std::exchange(end_before_, end);
  }
  const uint64_t ahead = std::clamp(before != 0 ? 2 * (end - before) : 0, kLeastAhead, kMostAhead);
  uint64_t until = std::max(end, has_room_until_.load(std::memory_order_relaxed));
  while (until < end + ahead && until + kChunkBytes <= mapping_.bytes && has_room(until, kChunkBytes)) {
    until += kChunkBytes;
    has_room_until_.store(until, std::memory_order_release);
  }
  release_done();
}

void TraceFile::updated_once_more(const void* record) noexcept {
  const auto offset = static_cast<uint64_t>(static_cast<const char*>(record) - mapping_.base) - kHeaderBytes;
  chunk_is_done(mapping_.base + kHeaderBytes + offset / kChunkBytes * kChunkBytes);
}

void TraceFile::stop(StopReason reason) noexcept {
  writable_.store(false, std::memory_order_release);
  if (!make_room(mapping_.base, kHeaderBytes)) return;  // somebody truncated the file
  header()->stop_reason = static_cast<uint32_t>(reason);
  header()->end_monotonic_ns = monotonic_ns();
}

void TraceFile::close(StopReason reason) noexcept {
  if (mapping_.base == nullptr || !owned()) return;
  const SignalsHeld signals_held;
  const MutexHeld held(mutex_);
  if (writable()) stop(reason);
  // A thread that still holds a chunk writes only below this length.
  shrink_file(path_, mapping_, end_of_chunks());
}

void TraceFile::abandon() noexcept { writable_.store(false, std::memory_order_release); }

void TraceFile::count_dropped() noexcept {
  const ErrnoKept errno_kept;
  if (mapping_.base != nullptr && make_room(mapping_.base, kHeaderBytes))
    __atomic_fetch_add(&header()->dropped_records, 1, __ATOMIC_RELAXED);
}

void TraceFile::count_nested(bool waits) noexcept {
  if (!writable()) return;
  __atomic_fetch_add(waits ? &header()->nested_waits : &header()->nested_work, 1, __ATOMIC_RELAXED);
}

}  // namespace syncsniff::trace
