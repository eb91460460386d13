// Both forms of cuGetProcAddress: the functions that they return are wrapped, and so are they themselves.
#include <pthread.h>

#include "runtime/shim/api_info.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/wrappers.h"

namespace syncsniff::shim {
namespace {

using GetV1 = int (*)(const char*, void**, int, uint64_t);
using GetV2 = int (*)(const char*, void**, int, uint64_t, void*);

constexpr unsigned kCount = 8;
std::atomic<void*> g_real[2][kCount];
pthread_mutex_t g_lookups_mutex = PTHREAD_MUTEX_INITIALIZER;

void wrap_result(int result, const char* name, void** function, int version, uint64_t flags) noexcept {
  if (result == 0 && name != nullptr && function != nullptr && *function != nullptr)
    *function = wrap_versioned(name, *function, version, flags);
}

template <unsigned S>
int get_v1(const char* name, void** function, int version, uint64_t flags) noexcept {
  const int result = reinterpret_cast<GetV1>(g_real[0][S].load())(name, function, version, flags);
  wrap_result(result, name, function, version, flags);
  return result;
}

template <unsigned S>
int get_v2(const char* name, void** function, int version, uint64_t flags, void* status) noexcept {
  const int result = reinterpret_cast<GetV2>(g_real[1][S].load())(name, function, version, flags, status);
  wrap_result(result, name, function, version, flags);
  return result;
}

constexpr GetV1 kWrappersV1[kCount] = {get_v1<0>, get_v1<1>, get_v1<2>, get_v1<3>,
                                       get_v1<4>, get_v1<5>, get_v1<6>, get_v1<7>};
constexpr GetV2 kWrappersV2[kCount] = {get_v2<0>, get_v2<1>, get_v2<2>, get_v2<3>,
                                       get_v2<4>, get_v2<5>, get_v2<6>, get_v2<7>};
constexpr int kNotFound = 500;

}  // namespace

void lock_proc_address() noexcept { pthread_mutex_lock(&g_lookups_mutex); }
void unlock_proc_address() noexcept { pthread_mutex_unlock(&g_lookups_mutex); }

void* proc_address_wrapper(void* real, bool v2) noexcept {
  pthread_mutex_lock(&g_lookups_mutex);
  void* result = real;
  for (unsigned i = 0; i < kCount && result == real; ++i) {
    void* taken = g_real[v2][i].load();
    if (taken != nullptr && taken != real) continue;
    g_real[v2][i].store(real);
    result = v2 ? reinterpret_cast<void*>(kWrappersV2[i]) : reinterpret_cast<void*>(kWrappersV1[i]);
  }
  pthread_mutex_unlock(&g_lookups_mutex);
  return result;
}

}  // namespace syncsniff::shim

extern "C" {
[[gnu::visibility("default")]] int cuGetProcAddress(const char* name, void** function, int version,
                                                    uint64_t flags) noexcept {
  void* real = syncsniff::shim::real_driver_symbol("cuGetProcAddress");
  if (real == nullptr) return syncsniff::shim::kNotFound;
  const int result = reinterpret_cast<syncsniff::shim::GetV1>(real)(name, function, version, flags);
  syncsniff::shim::wrap_result(result, name, function, version, flags);
  return result;
}

[[gnu::visibility("default")]] int cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t flags,
                                                       void* status) noexcept {
  void* real = syncsniff::shim::real_driver_symbol("cuGetProcAddress_v2");
  if (real == nullptr) return syncsniff::shim::kNotFound;
  const int result = reinterpret_cast<syncsniff::shim::GetV2>(real)(name, function, version, flags, status);
  syncsniff::shim::wrap_result(result, name, function, version, flags);
  return result;
}
}
