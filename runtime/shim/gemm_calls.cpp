// The body of each wrapped function finds the real one and calls it; in a window it also records the call. Outside of
// windows that is a table lookup and a call.
#include "runtime/shim/gemm_calls.h"

#include <cstring>

#include "runtime/shim/gemm_forms.h"
#include "runtime/shim/gemm_library.h"
#include "runtime/shim/recorder.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

// CUBLAS_STATUS_NOT_INITIALIZED; without the shim, the program would not have started.
constexpr int kNotInitialized = 1;

enum Function : unsigned {
#define SYNCSNIFF_F(name, form, type) kFunction_##name, kFunction_##name##_64,
  SYNCSNIFF_GEMMS_OF_INT(SYNCSNIFF_F)
#undef SYNCSNIFF_F
      kFunction_cublasLtMatmul,
  kFunctions
};
static_assert(kFunctions <= kMostGemmFunctions);

constexpr const char* kNames[kFunctions] = {
#define SYNCSNIFF_F(name, form, type) #name, #name "_64",
    SYNCSNIFF_GEMMS_OF_INT(SYNCSNIFF_F)
#undef SYNCSNIFF_F
        "cublasLtMatmul"};

template <class Form>
struct Asking {
  template <class... A>
  static bool ask(const GemmTarget& target, GemmShape& shape, bool& tf32_allowed, void* handle, A... rest) noexcept {
    shape = Form::shape(handle, rest...);
    tf32_allowed = allows_tf32(target, handle);
    return true;
  }
};
template <>
struct Asking<Matmul> {
  static bool ask(const GemmTarget& target, GemmShape& shape, bool& tf32_allowed, void*, const void* operation, Scalar,
                  Matrix, const void* a, Matrix, const void* b, Scalar, Matrix, const void*, void*, const void* d,
                  const void*, void*, uint64_t, void*) noexcept {
    tf32_allowed = false;  // cuBLASLt has no handle that could allow it
    return read_matmul(target, operation, a, b, d, shape);
  }
};

template <unsigned F, class Form, class Signature = typename Form::Signature>
struct Entrance;

template <unsigned F, class Form, class... A>
struct Entrance<F, Form, int(A...)> {
  using Real = int (*)(A...);

  // The shape is read after the real call has returned, so that its kernels are not delayed.
  [[gnu::noinline]] static int recorded(Real real, const GemmTarget& target, A... arguments) noexcept {
    uint64_t begin_ns = 0;
    if (!begin_gemm(begin_ns)) return real(arguments...);
    const int result = real(arguments...);
    const trace::ErrnoKept errno_kept;
    GemmShape shape;
    bool tf32_allowed = false;
    const bool is_read = result == 0 && Asking<Form>::ask(target, shape, tf32_allowed, arguments...);
    end_gemm(begin_ns, is_read ? &shape : nullptr, tf32_allowed);
    return result;
  }

  // Entry for calls through the dynamic linker.
  static int linked(A... arguments) noexcept {
    const GemmRoute route = route_gemm(F, kNames[F], __builtin_return_address(0));
    const auto real = reinterpret_cast<Real>(route.real);
    if (real == nullptr) return kNotInitialized;
    if (route.target == nullptr || !lists_every_call()) return real(arguments...);
    return recorded(real, *route.target, arguments...);
  }

  // Entry for pointers that dlsym returned.
  template <unsigned Slot>
  static int looked_up(A... arguments) noexcept {
    const GemmTarget& target = g_gemm_targets[F][Slot];
    const auto real = reinterpret_cast<Real>(target.real.load(std::memory_order_acquire));
    if (!lists_every_call()) return real(arguments...);
    return recorded(real, target, arguments...);
  }
};

template <unsigned F, class Form>
using At = Entrance<F, Form>;

struct LookedUp {
  void* of_slot[kGemmSlots];
};
static_assert(kGemmSlots == 4);
template <class E>
LookedUp looked_up() noexcept {
  return {{reinterpret_cast<void*>(&E::template looked_up<0>), reinterpret_cast<void*>(&E::template looked_up<1>),
           reinterpret_cast<void*>(&E::template looked_up<2>), reinterpret_cast<void*>(&E::template looked_up<3>)}};
}

LookedUp wrappers_of(unsigned function) noexcept {
  switch (function) {
#define SYNCSNIFF_F(name, form, type)                          \
  case kFunction_##name:                                       \
    return looked_up<At<kFunction_##name, form<int, type>>>(); \
  case kFunction_##name##_64:                                  \
    return looked_up<At<kFunction_##name##_64, form<int64_t, type>>>();
    SYNCSNIFF_GEMMS_OF_INT(SYNCSNIFF_F)
#undef SYNCSNIFF_F
    default:
      return looked_up<At<kFunction_cublasLtMatmul, Matmul>>();
  }
}

unsigned function_of(const char* name) noexcept {
  if (std::strncmp(name, "cublas", 6) != 0) return kFunctions;
  unsigned function = 0;
  while (function < kFunctions && std::strcmp(name, kNames[function]) != 0) ++function;
  return function;
}

}  // namespace

bool is_gemm(const char* name) noexcept { return function_of(name) != kFunctions; }

void* wrap_gemm(const char* name, void* real) noexcept {
  const trace::ErrnoKept errno_kept;
  const unsigned function = function_of(name);
  const unsigned slot = gemm_slot(function, real);
  return slot < kGemmSlots ? wrappers_of(function).of_slot[slot] : real;
}

}  // namespace syncsniff::shim

// The exported names are jumps, so that the wrapper's return address is the caller's.
#define SYNCSNIFF_EXPORT(name, ...)                                                                           \
  extern "C" {                                                                                                \
  [[gnu::visibility("hidden"),                                                                                \
    gnu::used]] constinit syncsniff::shim::__VA_ARGS__::Signature* syncsniff_linked_##name =                  \
      syncsniff::shim::Entrance<syncsniff::shim::kFunction_##name, syncsniff::shim::__VA_ARGS__>::linked;     \
  }                                                                                                           \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name                                           \
      ":\n  .cfi_startproc\n  endbr64\n  jmp *syncsniff_linked_" #name "(%rip)\n  .cfi_endproc\n.size " #name \
      ", . - " #name "\n");
#define SYNCSNIFF_F(name, form, type)                      \
  SYNCSNIFF_EXPORT(name, form<int, syncsniff::shim::type>) \
  SYNCSNIFF_EXPORT(name##_64, form<int64_t, syncsniff::shim::type>)
SYNCSNIFF_GEMMS_OF_INT(SYNCSNIFF_F)
SYNCSNIFF_EXPORT(cublasLtMatmul, Matmul)
