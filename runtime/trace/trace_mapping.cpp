#include "runtime/trace/trace_mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "runtime/trace/format.h"
#include "runtime/trace/own_descriptors.h"

namespace syncsniff::trace {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, which older headers lack
// The trace takes at most 1/16 of the address space that `ulimit -v` leaves; the program needs the rest.
constexpr uint64_t kShareOfAddressSpace = 16;

struct Making {
  const char* path;
  uint64_t wanted, least;
  TraceMapping* out;
  int error;
};
struct Shrinking {
  const char* path;
  const TraceMapping* mapping;
  uint64_t bytes;
};

uint64_t limit_of(decltype(RLIMIT_AS) resource) noexcept {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return ~uint64_t{0};
  return limit.rlim_cur;
}

// Must be called in a task with its own descriptor table.
uint64_t address_space_left() noexcept {
  const uint64_t limit = limit_of(RLIMIT_AS);
  if (limit == ~uint64_t{0}) return limit;
  char text[32] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const bool known = file >= 0 && read(file, text, sizeof(text) - 1) > 0;
  if (file >= 0) close(file);
  const uint64_t used = known ? strtoull(text, nullptr, 10) * kPageBytes : limit / 2;
  return used < limit ? limit - used : 0;
}

// Sets out->bytes and out->bound. Returns false if the limits leave less than making.least.
bool choose_size(Making& making) noexcept {
  TraceMapping& out = *making.out;
  out.bytes = making.wanted;
  out.bound = Bound::kAsked;
  const uint64_t share = address_space_left() / kShareOfAddressSpace, file_limit = limit_of(RLIMIT_FSIZE);
  if (share < out.bytes) out.bytes = share, out.bound = Bound::kAddressSpace;
  // Exceeding the file size limit raises SIGXFSZ, which ends a program that does not handle it.
  if (file_limit < out.bytes) out.bytes = file_limit, out.bound = Bound::kFileSize;
  making.error = out.bound == Bound::kFileSize ? EFBIG : ENOMEM;
  return out.bytes >= making.least;
}

// After mlockall(MCL_FUTURE), the kernel populates and locks every new mapping. It cannot populate PROT_NONE pages, so
// the mapping starts with these and is unlocked before it becomes accessible.
char* map_unlocked(int file, uint64_t bytes) noexcept {
  void* const base = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file, 0);
  if (base == MAP_FAILED) return nullptr;
  munlock(base, bytes);
  if (mprotect(base, bytes, PROT_READ | PROT_WRITE) != 0) return munmap(base, bytes), nullptr;
  madvise(base, bytes, MADV_DONTDUMP);
  return static_cast<char*>(base);
}

// Maps whole chunks. The file gets the mapping's length at once; it is a hole until make_room() allocates its blocks.
bool size_and_map(int file, Making& making) noexcept {
  TraceMapping& out = *making.out;
  if (!choose_size(making)) return false;
  for (; out.bytes >= making.least; out.bytes /= 4) {
    out.bytes = kHeaderBytes + (out.bytes - kHeaderBytes) / kChunkBytes * kChunkBytes;
    if ((out.base = map_unlocked(file, out.bytes)) != nullptr) break;
    making.error = errno == EAGAIN ? ENOMEM : errno;
    out.bound = Bound::kAddressSpace;
  }
  if (out.base == nullptr) return false;
  struct stat info{};
  if (ftruncate(file, static_cast<off_t>(out.bytes)) == 0 && fstat(file, &info) == 0 &&
      make_room(out.base, kHeaderBytes)) {
    out.device = info.st_dev;
    out.inode = info.st_ino;
    making.error = 0;
    return true;
  }
  making.error = errno == EFAULT ? ENOSPC : errno;
  munmap(out.base, out.bytes);
  return false;
}

void make(void* argument) noexcept {
  auto& making = *static_cast<Making*>(argument);
  const int file = open(making.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    making.error = errno;
    return;
  }
  fchmod(file, 0600);  // the umask may have removed even the owner's bits
  if (!size_and_map(file, making)) unlink(making.path);
  close(file);
}

void shrink(void* argument) noexcept {
  const auto& shrinking = *static_cast<const Shrinking*>(argument);
  const int file = open(shrinking.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return;
  struct stat info{};
  if (fstat(file, &info) == 0 && info.st_dev == shrinking.mapping->device && info.st_ino == shrinking.mapping->inode &&
      static_cast<uint64_t>(info.st_size) > shrinking.bytes) [[maybe_unused]]
    const int result = ftruncate(file, static_cast<off_t>(shrinking.bytes));
  close(file);
}

// For kernels without MADV_POPULATE_WRITE (before Linux 5.14): has the kernel write the time into each page. If there
// is no room, the system call fails with EFAULT, where a store would raise SIGBUS.
bool write_into_pages(char* at, size_t bytes) noexcept {
  for (char* page = at; page < at + bytes; page += kPageBytes) {
    char* const last = page + kPageBytes - sizeof(timespec);
    if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, last) != 0) return false;
    std::memset(last, 0, sizeof(timespec));
  }
  return true;
}

bool can_populate() noexcept {
  static const bool kCan = getenv("SYNCSNIFF_TEST_NO_POPULATE") == nullptr;
  return kCan;
}

}  // namespace

int make_mapping(const char* path, uint64_t wanted, uint64_t least, TraceMapping& out) noexcept {
  out = {};
  Making making{path, wanted, least, &out, 0};
  can_populate();  // called here because the first use of its static takes a lock
  return with_own_descriptors(make, &making) ? making.error : errno;
}

bool make_room(char* at, size_t bytes) noexcept {
  if (can_populate() && madvise(at, bytes, kPopulateWrite) == 0) return true;
  return (can_populate() && errno != EINVAL) ? false : write_into_pages(at, bytes);
}

void release_pages(char* at, size_t bytes) noexcept { madvise(at, bytes, MADV_DONTNEED); }

void shrink_file(const char* path, const TraceMapping& mapping, uint64_t bytes) noexcept {
  Shrinking shrinking{path, &mapping, bytes};
  with_own_descriptors(shrink, &shrinking);
}

}  // namespace syncsniff::trace
