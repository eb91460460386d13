// The kernel that looks for NaN and infinity in an array, read once in 16-byte loads. Knows a flag, not the guard.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "syncsniff/detail/non_finite.h"

namespace syncsniff::detail {

inline constexpr int kFiniteThreads = 256;
inline constexpr int kFiniteBlocksPerSm = 8;    // all 2,048 threads of an SM
inline constexpr int kFiniteLoadsInFlight = 4;  // 16 bytes each

template <typename Bits>
__device__ __forceinline__ bool has_all(Bits bits, Bits mask) {
  return (bits & mask) == mask;
}

// The bits of one element, and how to tell among the four words of a 16-byte load.
template <typename T>
struct FiniteTraits;

template <>
struct FiniteTraits<float> {
  using Bits = std::uint32_t;
  static constexpr Bits kExponent = kFp32Exponent;
  static __device__ bool any(uint4 w) {
    return has_all(w.x, kExponent) || has_all(w.y, kExponent) || has_all(w.z, kExponent) || has_all(w.w, kExponent);
  }
};

template <>
struct FiniteTraits<double> {
  using Bits = std::uint64_t;
  static constexpr Bits kExponent = static_cast<Bits>(kFp64ExponentHigh) << 32;
  static __device__ bool any(uint4 w) {  // little endian: y and w are the upper words
    return has_all(w.y, kFp64ExponentHigh) || has_all(w.w, kFp64ExponentHigh);
  }
};

template <std::uint32_t kMask>
struct FiniteTraits16 {
  using Bits = std::uint16_t;
  static constexpr Bits kExponent = static_cast<Bits>(kMask);
  static __device__ bool in_word(std::uint32_t word) { return has_all(word, kMask) || has_all(word >> 16, kMask); }
  static __device__ bool any(uint4 w) { return in_word(w.x) || in_word(w.y) || in_word(w.z) || in_word(w.w); }
};
template <>
struct FiniteTraits<__half> : FiniteTraits16<kHalfExponent> {};
template <>
struct FiniteTraits<__nv_bfloat16> : FiniteTraits16<kBfloat16Exponent> {};

template <typename T>
__device__ __forceinline__ bool is_non_finite(const T* element) {
  using Traits = FiniteTraits<T>;
  return has_all(*reinterpret_cast<const typename Traits::Bits*>(element), Traits::kExponent);
}

// This thread's share of data[0, count), which need not stand on a 16-byte boundary.
template <typename T>
__device__ __forceinline__ bool any_non_finite(const T* data, std::uint64_t count) {
  constexpr std::uint64_t kPerLoad = sizeof(uint4) / sizeof(T);
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kFiniteThreads + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kFiniteThreads;
  const std::uint64_t misalignment = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4);
  std::uint64_t head = misalignment == 0 ? 0 : (sizeof(uint4) - misalignment) / sizeof(T);
  if (head > count) head = count;
  const auto* body = reinterpret_cast<const uint4*>(data + head);
  const std::uint64_t loads = (count - head) / kPerLoad;
  const std::uint64_t tail = head + loads * kPerLoad;

  bool bad = false;
  std::uint64_t at = thread;
  for (; at + (kFiniteLoadsInFlight - 1) * threads < loads; at += kFiniteLoadsInFlight * threads) {
    uint4 words[kFiniteLoadsInFlight];
#pragma unroll
    for (int i = 0; i < kFiniteLoadsInFlight; ++i) words[i] = body[at + i * threads];
#pragma unroll
    for (int i = 0; i < kFiniteLoadsInFlight; ++i) bad |= FiniteTraits<T>::any(words[i]);
  }
  for (; at < loads; at += threads) bad |= FiniteTraits<T>::any(body[at]);
  // Head and tail are shorter than a load each: one element for each of the first threads.
  if (thread < head) bad |= is_non_finite(data + thread);
  if (tail + thread < count) bad |= is_non_finite(data + tail + thread);
  return bad;
}

// Sets *flag to `stamp` if it was 0 and something in data[0, count) is not finite: one atomic a block at most.
template <typename T>
__global__ void __launch_bounds__(kFiniteThreads)
    test_finite_kernel(const T* data, std::uint64_t count, std::uint32_t* flag, std::uint32_t stamp) {
  const bool bad = any_non_finite(data, count);
  if (__syncthreads_or(bad ? 1 : 0) != 0 && threadIdx.x == 0) atomicCAS(flag, 0u, stamp);
}

}  // namespace syncsniff::detail
