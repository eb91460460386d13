#include "runtime/shim/resolve.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/shim/api_info.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/driver.h"
#include "runtime/shim/gemm_calls.h"
#include "runtime/shim/wrappers.h"
#include "runtime/trace/cupti_places.h"

namespace syncsniff::shim {

Slot g_slots[kSlots][kApiCount];

namespace {
#include "api_names.inc"

using DlsymFunction = void* (*)(void*, const char*);
using DlopenFunction = void* (*)(const char*, int);

std::atomic<DlsymFunction> g_dlsym{nullptr};
std::atomic<DlopenFunction> g_dlopen{nullptr};
std::atomic<void*> g_driver_handle{nullptr};
std::atomic<unsigned> g_unwrapped{0};
pthread_mutex_t g_slot_mutex = PTHREAD_MUTEX_INITIALIZER;

template <class Entry, size_t N>
const Entry* find_name(const Entry (&table)[N], const char* name) noexcept {
  const Entry* end = table + N;
  const Entry* it =
      std::lower_bound(table, end, name, [](const Entry& e, const char* n) { return std::strcmp(e.name, n) < 0; });
  return it != end && std::strcmp(it->name, name) == 0 ? it : nullptr;
}

bool lies_in(const void* address, const char* library) noexcept {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return false;
  const char* slash = std::strrchr(info.dli_fname, '/');
  const char* base = slash != nullptr ? slash + 1 : info.dli_fname;
  return std::strncmp(base, library, std::strlen(library)) == 0;
}

bool is_watched_cupti(const char* name) noexcept {
  for (const char* watched :
       {"cuptiSubscribe", "cuptiSubscribe_v2", "cuptiActivityEnable", "cuptiActivityRegisterCallbacks"})
    if (std::strcmp(name, watched) == 0) return true;
  return false;
}

bool is_proc_address(const char* name) noexcept {
  return std::strcmp(name, "cuGetProcAddress") == 0 || std::strcmp(name, "cuGetProcAddress_v2") == 0;
}

}  // namespace

void* real_dlsym_pointer() noexcept {
  DlsymFunction function = g_dlsym.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = reinterpret_cast<DlsymFunction>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
    if (function == nullptr) function = reinterpret_cast<DlsymFunction>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"));
    g_dlsym.store(function, std::memory_order_release);
  }
  return reinterpret_cast<void*>(function);
}

void* real_dlsym(void* handle, const char* name) noexcept {
  const auto function = reinterpret_cast<DlsymFunction>(real_dlsym_pointer());
  return function != nullptr ? function(handle, name) : nullptr;
}

void* real_dlopen(const char* file, int flags) noexcept {
  DlopenFunction function = g_dlopen.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = reinterpret_cast<DlopenFunction>(real_dlsym(RTLD_NEXT, "dlopen"));
    g_dlopen.store(function, std::memory_order_release);
  }
  return function != nullptr ? function(file, flags) : nullptr;
}

bool is_ours(const void* address) noexcept {
  Dl_info there{}, here{};
  static const char kMarker = 0;
  return dladdr(address, &there) != 0 && dladdr(&kMarker, &here) != 0 && there.dli_fbase == here.dli_fbase;
}

// If a lookup found our own export, since its scope contains this library: finds what it would have found without us.
void* look_past_us(const char* name, const void* caller) noexcept {
  if (void* next = real_dlsym(RTLD_NEXT, name)) return next;
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(caller, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
  if (map->l_name == nullptr || map->l_name[0] == '\0') return nullptr;
  void* own = real_dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
  if (own == nullptr) return nullptr;
  void* found = real_dlsym(own, name);
  dlclose(own);
  return found != nullptr && !is_ours(found) ? found : nullptr;
}

void* real_driver_symbol(const char* name) noexcept {
  void* handle = g_driver_handle.load();
  if (handle != nullptr) return real_dlsym(handle, name);
  if (void* next = real_dlsym(RTLD_NEXT, name)) return next;
  handle = real_dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  g_driver_handle.store(handle);  // kept open, so that the driver is not unloaded while we use it
  return real_dlsym(handle, name);
}

void* own_export(const char* name) noexcept {
  if (std::strcmp(name, "dlsym") == 0) return reinterpret_cast<void*>(&::dlsym);
  if (std::strcmp(name, "dlopen") == 0) return reinterpret_cast<void*>(&::dlopen);
  if (!is_watched_cupti(name) && !is_proc_address(name) && find_name(kSymbols, name) == nullptr) return nullptr;
  Dl_info info{};
  link_map* map = nullptr;
  static const char kMarker = 0;
  if (dladdr1(&kMarker, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return nullptr;
  void* own = real_dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
  if (own == nullptr) return nullptr;
  void* found = real_dlsym(own, name);
  dlclose(own);
  return found;
}

void* real_cupti_symbol(const char* name, const void* caller) noexcept {
  if (void* found = look_past_us(name, caller)) return found;
  for (const char* soname : trace::kCuptiSonames) {
    void* handle = real_dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (void* found = real_dlsym(handle, name)) return found;
  }
  return nullptr;
}

void* wrapper_for(unsigned api, void* real, bool per_thread) noexcept {
  pthread_mutex_lock(&g_slot_mutex);
  void* result = real;
  for (unsigned slot = kDirectSlots; slot < kSlots; ++slot) {
    Slot& entry = slot_of(api, slot);
    void* taken = entry.real.load(std::memory_order_relaxed);
    if (taken == nullptr) {
      entry.per_thread = per_thread;
      entry.real.store(real, std::memory_order_release);
    } else if (taken != real || entry.per_thread != per_thread) {
      continue;
    }
    result = wrapper(api, slot);
    break;
  }
  pthread_mutex_unlock(&g_slot_mutex);
  if (result == real) g_unwrapped.fetch_add(1);
  return result;
}

void lock_slots() noexcept { pthread_mutex_lock(&g_slot_mutex); }
void unlock_slots() noexcept { pthread_mutex_unlock(&g_slot_mutex); }
unsigned unwrapped_pointers() noexcept { return g_unwrapped.load(); }

void* wrap_symbol(const char* symbol, void* real) noexcept {
  if (is_ours(real)) return real;
  if (is_proc_address(symbol)) return proc_address_wrapper(real, symbol[16] != '\0');
  const SymbolName* entry = find_name(kSymbols, symbol);
  return entry != nullptr ? wrapper_for(entry->api, real, entry->per_thread != 0) : real;
}

// Which symbol the driver returned depends on the version that was requested, and on the driver's own: it returns the
// newest one that both know.
void* wrap_versioned(const char* name, void* real, int version, uint64_t flags) noexcept {
  if (is_ours(real)) return real;
  const int known = driver_version();
  if (known != 0 && version > known) version = known;
  if (std::strcmp(name, "cuGetProcAddress") == 0) return proc_address_wrapper(real, version >= 12000);
  const VersionedName* entry = find_name(kVersions, name);
  if (entry == nullptr) return wrap_symbol(name, real);
  const VersionedName* best = nullptr;
  for (const VersionedName* end = std::end(kVersions); entry != end && std::strcmp(entry->name, name) == 0; ++entry)
    if (entry->version <= version) best = entry;
  constexpr uint64_t kPerThreadFlag = 2;
  return best != nullptr ? wrapper_for(best->api, real, (flags & kPerThreadFlag) != 0) : real;
}

void* resolve_direct(unsigned api, unsigned slot) noexcept {
  const char* suffixes[] = {"", "_ptsz", "_ptds"};
  char name[128];
  for (unsigned i = slot; i < (slot == 0 ? 1u : 3u); ++i) {
    const size_t length = std::strlen(kApis[api].name);
    if (length + 6 > sizeof(name)) return nullptr;
    std::memcpy(name, kApis[api].name, length + 1);
    std::strcpy(name + length, suffixes[i]);
    if (find_name(kSymbols, name) == nullptr) continue;
    void* real = real_driver_symbol(name);
    if (real == nullptr || is_ours(real)) continue;
    slot_of(api, slot).per_thread = slot == 1;
    slot_of(api, slot).real.store(real, std::memory_order_release);
    return real;
  }
  return nullptr;
}

void* decide_dlsym(void* handle, const char* name, const void* caller) noexcept {
  if (handle == RTLD_NEXT || name == nullptr || name[0] != 'c' || name[1] != 'u') return nullptr;
  const bool cupti = is_watched_cupti(name), gemm = is_gemm(name);
  if (!cupti && !gemm && !is_proc_address(name) && find_name(kSymbols, name) == nullptr) return nullptr;
  // Calls by CUPTI and by the driver itself are not calls of the program.
  if (lies_in(caller, "libcupti.so") || lies_in(caller, "libcuda.so")) return nullptr;
  void* real = real_dlsym(handle, name);
  // The real dlsym will be called with the caller's own scope.
  if (handle == RTLD_DEFAULT && real == nullptr) return nullptr;
  if (real == nullptr) return nullptr;
  if (is_ours(real)) {
    real = look_past_us(name, caller);
    // It does not exist without us: the last lookup fails as the caller's would have, and sets dlerror.
    if (real == nullptr) {
      real_dlsym(RTLD_NEXT, name);
      return kNotThere;
    }
  }
  if (gemm) return wrap_gemm(name, real);
  if (cupti) yield_timeline();
  if (!lies_in(real, "libcuda.so")) return real;
  if (g_driver_handle.load() == nullptr && handle != RTLD_DEFAULT) {
    if (void* driver = real_dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) g_driver_handle.store(driver);
  }
  return wrap_symbol(name, real);
}

}  // namespace syncsniff::shim
