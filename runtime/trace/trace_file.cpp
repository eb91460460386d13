#include "runtime/trace/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "runtime/trace/errno_kept.h"

namespace syncsniff::trace {
namespace {

// Blocks are allocated this far ahead: one system call for 16 chunks.
constexpr uint64_t kGrowBytes = 16 * kChunkBytes;
constexpr uint64_t kSmallestLimit = kHeaderBytes + kGrowBytes;

uint64_t read_clock(clockid_t clock) noexcept {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t monotonic_ns() noexcept { return read_clock(CLOCK_MONOTONIC); }
uint64_t realtime_ns() noexcept { return read_clock(CLOCK_REALTIME); }

bool TraceFile::open(const char* path, uint64_t limit_bytes) noexcept {
  limit_ = limit_bytes < kSmallestLimit ? kSmallestLimit : limit_bytes;
  descriptor_ = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return false;
  if (!grow(kHeaderBytes + kGrowBytes)) {
    const int error = errno;
    ::close(descriptor_);
    ::unlink(path);
    errno = error;
    return false;
  }
  // One mapping for the whole limit: pages past the end of the file are reserved, and touched only once allocated.
  void* base = MAP_FAILED;
  for (; base == MAP_FAILED && limit_ >= kSmallestLimit; limit_ /= 4)
    if ((base = mmap(nullptr, limit_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0)) != MAP_FAILED) break;
  if (base == MAP_FAILED) {
    const int error = errno;
    ::close(descriptor_);
    ::unlink(path);
    errno = error;
    return false;
  }
  base_ = static_cast<char*>(base);
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
  return true;
}

// The file limit is read first: passing it raises SIGXFSZ, which ends a program that does not expect it.
bool TraceFile::grow(uint64_t bytes) noexcept {
  rlimit file_limit{};
  if (getrlimit(RLIMIT_FSIZE, &file_limit) == 0 && file_limit.rlim_cur != RLIM_INFINITY &&
      bytes > file_limit.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  if (full_after_ != 0 && bytes > full_after_) {
    errno = ENOSPC;
    return false;
  }
  int error;
  do {
    error = posix_fallocate(descriptor_, static_cast<off_t>(allocated_), static_cast<off_t>(bytes - allocated_));
  } while (error == EINTR);
  errno = error;
  if (error != 0) return false;
  allocated_ = bytes;
  return true;
}

bool TraceFile::owned() const noexcept { return getpid() == owner_pid_; }

char* TraceFile::allocate_chunk(uint32_t tid, uint32_t sequence) noexcept {
  const ErrnoKept errno_kept;
  if (!writable()) return nullptr;
  pthread_mutex_lock(&mutex_);
  const uint64_t begin_ns = monotonic_ns();
  char* chunk = nullptr;
  const uint64_t offset = kHeaderBytes + static_cast<uint64_t>(chunks_) * kChunkBytes;
  const uint64_t end = offset + kChunkBytes;
  // A raw clone() skips the fork handlers: a process that is not the owner never writes.
  if (!writable() || !owned()) {
  } else if (end > limit_) {
    stop(StopReason::kSizeLimit);
  } else if (end > allocated_ && !grow(end + kGrowBytes > limit_ ? end : end + kGrowBytes - kChunkBytes) &&
             !grow(end)) {
    stop(StopReason::kDiskFull);
  } else {
    chunk = base_ + offset;
#ifdef MADV_POPULATE_WRITE
    // Its pages in one call, not in a fault each between two of the program's launches. An old kernel refuses: no harm.
    madvise(chunk, kChunkBytes, MADV_POPULATE_WRITE);
#endif
    auto* head = reinterpret_cast<ChunkHeader*>(chunk);
    head->magic = kChunkMagic;
    head->tid = tid;
    head->sequence = sequence;
    ++chunks_;
    header()->storage_ns += monotonic_ns() - begin_ns;
    __atomic_store_n(&header()->chunks, chunks_, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&mutex_);
  return chunk;
}

void TraceFile::stop(StopReason reason) noexcept {
  writable_.store(false, std::memory_order_release);
  header()->stop_reason = static_cast<uint32_t>(reason);
  header()->end_monotonic_ns = monotonic_ns();
}

void TraceFile::close(StopReason reason) noexcept {
  if (base_ == nullptr || !owned()) return;
  pthread_mutex_lock(&mutex_);
  if (writable()) stop(reason);
  if (descriptor_ >= 0) {
    // Give back the blocks that no chunk uses. A thread that still holds a chunk writes below this length.
    const off_t used = static_cast<off_t>(kHeaderBytes + static_cast<uint64_t>(chunks_) * kChunkBytes);
    if (ftruncate(descriptor_, used) == 0) allocated_ = static_cast<uint64_t>(used);
    ::close(descriptor_);
    descriptor_ = -1;
  }
  pthread_mutex_unlock(&mutex_);
}

void TraceFile::abandon() noexcept {
  writable_.store(false, std::memory_order_release);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void TraceFile::count_dropped() noexcept {
  if (base_ != nullptr) __atomic_fetch_add(&header()->dropped_records, 1, __ATOMIC_RELAXED);
}

}  // namespace syncsniff::trace
