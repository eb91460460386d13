#include "runtime/shim/cupti_library.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <initializer_list>

#include "runtime/shim/driver.h"
#include "runtime/shim/resolve.h"

namespace syncsniff::shim {
namespace {

constexpr const char* kSonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};
constexpr const char* kFolders[] = {"/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"};

void* open_in_folders(const char* soname) noexcept {
  for (const char* folder : kFolders) {
    char path[256] = {};
    size_t used = 0;
    for (const char* part : {folder, soname})
      for (const char* c = part; *c != '\0' && used + 1 < sizeof(path); ++c) path[used++] = *c;
    if (void* handle = real_dlopen(path, RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

void* open_library() noexcept {
  for (const char* soname : kSonames)
    if (void* handle = real_dlopen(soname, RTLD_NOW | RTLD_NOLOAD)) return handle;
  if (const char* named = getenv("SYNCSNIFF_CUPTI")) return real_dlopen(named, RTLD_NOW | RTLD_LOCAL);
  // Newest that the driver can serve first: a CUPTI of a later CUDA than the driver refuses to start.
  const int major = driver_version() / 1000;
  for (int i = 0; i < 3; ++i) {
    if (13 - i > major && major != 0) continue;
    if (void* handle = real_dlopen(kSonames[i], RTLD_NOW | RTLD_LOCAL)) return handle;
    if (void* handle = open_in_folders(kSonames[i])) return handle;
  }
  return nullptr;
}

template <class F>
bool take(void* handle, const char* name, F& function) noexcept {
  function = reinterpret_cast<F>(real_dlsym(handle, name));
  return function != nullptr;
}

}  // namespace

bool load_cupti(CuptiLibrary& library) noexcept {
  void* handle = open_library();
  if (handle == nullptr) return false;
  take(handle, "cuptiFinalize", library.finalize);
  take(handle, "cuptiGetVersion", library.version);
  return take(handle, "cuptiActivityRegisterCallbacks", library.register_callbacks) &&
         take(handle, "cuptiActivityEnable", library.enable) && take(handle, "cuptiActivityDisable", library.disable) &&
         take(handle, "cuptiActivityGetNextRecord", library.next_record) &&
         take(handle, "cuptiActivityFlushAll", library.flush) && take(handle, "cuptiGetTimestamp", library.timestamp);
}

}  // namespace syncsniff::shim
