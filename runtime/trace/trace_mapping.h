// Creates, sizes and maps the trace file in one step, so that no descriptor is held while the program runs; its blocks
// are allocated through the mapping. No store in this code or after make_room() raises SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff::trace {

// What limited `bytes`: kAsked if nothing did and it is as requested.
enum class Bound : uint8_t { kAsked, kFileSize, kAddressSpace };

struct TraceMapping {
  char* base;
  uint64_t bytes;  // mapped bytes, which is also the file's size; most of it is a hole
  uint64_t device, inode;
  Bound bound;
};

// Creates `path`, which must not exist, with mode 0600 whatever the umask, and maps as many of `wanted` bytes as the
// program's limits allow, at least `least`. Returns 0 or an errno: ENOMEM if the address space (ulimit -v) is too
// small, EFBIG if the file size limit (ulimit -f) is.
int make_mapping(const char* path, uint64_t wanted, uint64_t least, TraceMapping& out) noexcept;

// Allocates the blocks of `bytes` from `at` on (both multiples of a page). Returns false if the disk is full or the
// file was truncated by somebody. May set the last 16 bytes of a page to 0. May change errno.
bool make_room(char* at, size_t bytes) noexcept;

// Removes `bytes` from `at` on (both multiples of a page) from the process's resident memory. The content stays in the
// file, and a later access maps the page again. May change errno.
void release_pages(char* at, size_t bytes) noexcept;

// Truncates the file at `path` to `bytes`, if it is still the file that was mapped.
void shrink_file(const char* path, const TraceMapping& mapping, uint64_t bytes) noexcept;

}  // namespace syncsniff::trace
