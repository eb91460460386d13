#include "runtime/shim/gemm_library.h"

#include <dlfcn.h>

#include "runtime/shim/resolve.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {

GemmTarget g_gemm_targets[kMostGemmFunctions][kGemmSlots];

namespace {

// The result for a call site never changes, since the library is kept open. If the table is full, other sites look it
// up each time.
struct Known {
  std::atomic<uint64_t> key;  // the return address and, in the bits that no address uses, the function
  GemmRoute route;
};
constexpr unsigned kKnown = 1024, kHandleProbes = 8;
Known g_known[kKnown];

uint64_t key_of(unsigned function, const void* caller) noexcept {
  return reinterpret_cast<uint64_t>(caller) | uint64_t{function + 1} << 48;
}
unsigned place_of(uint64_t key) noexcept { return static_cast<unsigned>(key * 0x9e3779b97f4a7c15ull >> 54); }
static_assert(kKnown == 1u << (64 - 54));

void remember(uint64_t key, const GemmRoute& route) noexcept {
  const trace::SignalsHeld signals_held;
  lock_slots();
  for (unsigned i = 0; i < kHandleProbes; ++i) {
    Known& known = g_known[(place_of(key) + i) % kKnown];
    const uint64_t taken = known.key.load(std::memory_order_relaxed);
    if (taken == key) break;
    if (taken != 0) continue;
    known.route = route;
    known.key.store(key, std::memory_order_release);
    break;
  }
  unlock_slots();
}

}  // namespace

unsigned gemm_slot(unsigned function, void* real) noexcept {
  Dl_info info{};
  void* library = nullptr;  // never closed, since call sites keep their result
  if (dladdr(real, &info) != 0 && info.dli_fname != nullptr)
    library = real_dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  auto find = [&](const char* name) { return library != nullptr ? real_dlsym(library, name) : nullptr; };
  const auto get_math_mode = reinterpret_cast<GetMathMode>(find("cublasGetMathMode"));
  const auto get_layout = reinterpret_cast<GetAttribute>(find("cublasLtMatrixLayoutGetAttribute"));
  const auto get_matmul = reinterpret_cast<GetAttribute>(find("cublasLtMatmulDescGetAttribute"));
  const trace::SignalsHeld signals_held;
  lock_slots();
  unsigned slot = 0;
  for (; slot < kGemmSlots; ++slot) {
    GemmTarget& target = g_gemm_targets[function][slot];
    void* const taken = target.real.load(std::memory_order_relaxed);
    if (taken == real) break;
    if (taken != nullptr) continue;
    target.get_math_mode = get_math_mode;
    target.get_layout = get_layout;
    target.get_matmul = get_matmul;
    target.real.store(real, std::memory_order_release);
    break;
  }
  unlock_slots();
  return slot;
}

GemmRoute route_gemm(unsigned function, const char* name, const void* caller) noexcept {
  const uint64_t key = key_of(function, caller);
  for (unsigned i = 0; i < kHandleProbes; ++i) {
    const Known& known = g_known[(place_of(key) + i) % kKnown];
    const uint64_t taken = known.key.load(std::memory_order_acquire);
    if (taken == key) return known.route;
    if (taken == 0) break;
  }
  const trace::ErrnoKept errno_kept;
  void* const real = look_past_us(name, caller);
  if (real == nullptr) return {nullptr, nullptr};
  const unsigned slot = gemm_slot(function, real);
  const GemmRoute route{real, slot < kGemmSlots ? &g_gemm_targets[function][slot] : nullptr};
  remember(key, route);
  return route;
}

}  // namespace syncsniff::shim
