#include "runtime/shim/cupti_library.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "runtime/shim/driver.h"
#include "runtime/shim/resolve.h"
#include "runtime/trace/cupti_places.h"

namespace syncsniff::shim {
namespace {

void* open_library() noexcept {
  for (const char* soname : trace::kCuptiSonames)
    if (void* handle = real_dlopen(soname, RTLD_NOW | RTLD_NOLOAD)) return handle;
  return trace::open_cupti(getenv("SYNCSNIFF_CUPTI"), driver_version() / 1000,
                           [](const char* path) noexcept { return real_dlopen(path, RTLD_NOW | RTLD_LOCAL); });
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
  take(handle, "cuptiActivitySetAttribute", library.set_attribute);
  return take(handle, "cuptiActivityRegisterCallbacks", library.register_callbacks) &&
         take(handle, "cuptiActivityEnable", library.enable) && take(handle, "cuptiActivityDisable", library.disable) &&
         take(handle, "cuptiActivityGetNextRecord", library.next_record) &&
         take(handle, "cuptiActivityFlushAll", library.flush) && take(handle, "cuptiGetTimestamp", library.timestamp);
}

}  // namespace syncsniff::shim
