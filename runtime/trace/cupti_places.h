// Where to look for libcupti. Shared by the shim, which loads it, and `syncsniff doctor`, which reports whether loading
// will succeed. Calls only the functions that are passed in.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace syncsniff::trace {

inline constexpr const char* kCuptiSonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};
inline constexpr int kNewestCuptiMajor = 13;  // major version of the first soname; each further one is one lower
inline constexpr const char* kCuptiFolders[] = {"/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"};

// Returns the handle of the first library that `open` (path -> handle) can open, newest version first, or nullptr.
// Versions newer than the driver are skipped, since such a CUPTI refuses to start. `driver_major` 0: not known.
// `named`: the value of SYNCSNIFF_CUPTI; if set, no other path is tried.
template <class Open>
void* open_cupti(const char* named, int driver_major, Open open) noexcept {
  if (named != nullptr) return open(named);
  int major = kNewestCuptiMajor;
  for (const char* soname : kCuptiSonames) {
    const bool served = driver_major == 0 || major <= driver_major;
    --major;
    if (!served) continue;
    if (void* handle = open(soname)) return handle;
    for (const char* folder : kCuptiFolders) {
      char path[256] = {};
      size_t used = 0;
      for (const char* part : {folder, soname})
        for (const char* c = part; *c != '\0' && used + 1 < sizeof(path); ++c) path[used++] = *c;
      if (void* handle = open(path)) return handle;
    }
  }
  return nullptr;
}

}  // namespace syncsniff::trace
