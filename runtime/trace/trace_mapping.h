// The trace file as memory: made, sized and mapped at once, so that no descriptor is held while the program runs, and
// its blocks are allocated through the mapping. No store here or after make_room() raises SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff::trace {

// What bounds `bytes` where that is less than was asked for.
enum class Bound : uint8_t { kAsked, kFileSize, kAddressSpace };

struct TraceMapping {
  char* base;
  uint64_t bytes;  // mapped, and the file's size: most of it is a hole
  uint64_t device, inode;
  Bound bound;
};

// Makes `path`, which must not exist, with mode 0600 whatever the umask, and maps as many of `wanted` bytes as the
// program's limits leave, `least` or more. 0, or an errno: ENOMEM stands for the address space (ulimit -v), EFBIG for
// the file size (ulimit -f).
int make_mapping(const char* path, uint64_t wanted, uint64_t least, TraceMapping& out) noexcept;

// Allocates the blocks of `bytes` from `at` on (both multiples of a page). False: the disk is full, or somebody cut the
// file short. May change the last 16 bytes of a page to 0. Leaves errno as it likes.
bool make_room(char* at, size_t bytes) noexcept;

// Takes `bytes` from `at` on (both multiples of a page) out of the process's resident memory. What they hold stays in
// the file, and a later access maps the page again. Leaves errno as it likes.
void release_pages(char* at, size_t bytes) noexcept;

// Cuts the file at `path` to `bytes`, if it is still the one that was mapped.
void shrink_file(const char* path, const TraceMapping& mapping, uint64_t bytes) noexcept;

}  // namespace syncsniff::trace
