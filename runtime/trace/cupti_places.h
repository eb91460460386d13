// Where libcupti is looked for: by the shim, which loads it, and by `syncsniff doctor`, which says whether that will
// succeed. Calls nothing but what it is given.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace syncsniff::trace {

inline constexpr const char* kCuptiSonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};
inline constexpr int kNewestCuptiMajor = 13;  // of the first; the others follow
inline constexpr const char* kCuptiFolders[] = {"/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"};

// The first that `open` (path -> handle) opens, of all names, newest first. A CUPTI of a later CUDA than the driver
// serves refuses to start. `driver_major` 0: not known. `named`: SYNCSNIFF_CUPTI; no other is tried then.
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
