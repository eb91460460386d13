// Element types of the kernels: 16-byte packs of them, and their widening to the fp32 that everything accumulates in.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace syncsniff::detail {

__device__ __forceinline__ float widen(float value) { return value; }
__device__ __forceinline__ float widen(__half value) { return __half2float(value); }
__device__ __forceinline__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }

template <typename T>
__device__ __forceinline__ T narrow(float value);
template <>
__device__ __forceinline__ float narrow<float>(float value) {
  return value;
}
template <>
__device__ __forceinline__ __half narrow<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ __forceinline__ __nv_bfloat16 narrow<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

// Bytes of the smallest of the types, at most 16.
template <typename... T>
constexpr int smallest_element() {
  int smallest = 16;
  ((smallest = static_cast<int>(sizeof(T)) < smallest ? static_cast<int>(sizeof(T)) : smallest), ...);
  return smallest;
}

// One store: what the compiler has put together from parts, it may store in parts.
__device__ __forceinline__ void store_16_bytes(uint4* address, const uint4& value) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(address)), "r"(value.x),
               "r"(value.y), "r"(value.z), "r"(value.w)
               : "memory");
#else
  *address = value;
#endif
}

template <typename T>
struct alignas(16) Pack {
  static constexpr int kElements = 16 / static_cast<int>(sizeof(T));
  T values[kElements];
};

// One 16-byte load, whatever T: the bytes travel as a uint4 and are taken apart in registers.
template <typename T>
__device__ __forceinline__ Pack<T> load_pack(const T* address) {
  union Bits {
    uint4 raw;
    Pack<T> pack;
    __device__ Bits() : raw{} {}
  } bits;
  bits.raw = *reinterpret_cast<const uint4*>(address);
  return bits.pack;
}

template <typename T>
__device__ __forceinline__ void store_pack(T* address, const Pack<T>& pack) {
  union Bits {
    uint4 raw;
    Pack<T> pack;
    __device__ Bits() : raw{} {}
  } bits;
  bits.pack = pack;
  *reinterpret_cast<uint4*>(address) = bits.raw;
}

}  // namespace syncsniff::detail
