// A second preloaded library that wraps malloc's neighbour `puts` and looks up the one after itself: RTLD_NEXT must
// mean what it means without the shim.
#include <dlfcn.h>

#include <cstdio>

extern "C" __attribute__((visibility("default"))) int puts(const char* text) {
  using Puts = int (*)(const char*);
  static auto next = reinterpret_cast<Puts>(dlsym(RTLD_NEXT, "puts"));
  if (next == nullptr || next == &puts) return -1;
  std::printf("next:");
  return next(text);
}

// Loaded last: a driver function found after it is the driver's own, or none.
extern "C" __attribute__((visibility("default"))) void* next_cu_init() { return dlsym(RTLD_NEXT, "cuInit"); }
