// The operands of map.cuh: how a run of consecutive elements of each gets into registers and out of them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "syncsniff/detail/element.cuh"

namespace syncsniff::detail {

// What a functor sees of an element: half precision as float (whatever conversions the build has switched off), all
// else as it is.
template <typename T>
struct Seen {
  using Type = T;
  static __device__ __forceinline__ T of(const T& value) { return value; }
  template <typename Result>
  static __device__ __forceinline__ T back(const Result& result) {
    return static_cast<T>(result);
  }
};
template <typename T>
struct SeenAsFloat {
  using Type = float;
  static __device__ __forceinline__ float of(T value) { return widen(value); }
  static __device__ __forceinline__ T back(float result) { return narrow<T>(result); }
};
template <>
struct Seen<__half> : SeenAsFloat<__half> {
  static __device__ __forceinline__ unsigned pair(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&both);
  }
};
template <>
struct Seen<__nv_bfloat16> : SeenAsFloat<__nv_bfloat16> {
  static __device__ __forceinline__ unsigned pair(float low, float high) {
    const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&both);
  }
};
// Two results are rounded by one instruction.
template <typename T>
inline constexpr bool kRoundsPairs = false;
template <>
inline constexpr bool kRoundsPairs<__half> = true;
template <>
inline constexpr bool kRoundsPairs<__nv_bfloat16> = true;

// kCount consecutive elements, moved in pieces of 16, 8 or 4 bytes, or one by one where they fill none of these.
template <typename T, int kCount>
struct Run {
  static constexpr int kBytes = static_cast<int>(sizeof(T)) * kCount;
  static constexpr int kPiece = kBytes % 16 == 0             ? 16
                                : kBytes == 8 || kBytes == 4 ? kBytes
                                                             : static_cast<int>(alignof(T));
  static constexpr int kPieces = kBytes / 16;
  union {
    uint4 wide[kPieces == 0 ? 1 : kPieces];
    uint2 half;
    unsigned quarter;
    unsigned pairs[kBytes < 4 ? 1 : kBytes / 4];
    T values[kCount];
  };
  __device__ Run() : wide{} {}

  __device__ __forceinline__ void load_whole(const T* from) {
    if constexpr (kBytes % 16 == 0) {
#pragma unroll
      for (int i = 0; i < kPieces; ++i) wide[i] = reinterpret_cast<const uint4*>(from)[i];
    } else if constexpr (kBytes == 8) {
      half = *reinterpret_cast<const uint2*>(from);
    } else if constexpr (kBytes == 4) {
      quarter = *reinterpret_cast<const unsigned*>(from);
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) values[i] = from[i];
    }
  }
  __device__ __forceinline__ void store_whole(T* to) const {
    if constexpr (kBytes % 16 == 0) {
#pragma unroll
      for (int i = 0; i < kPieces; ++i) store_16_bytes(reinterpret_cast<uint4*>(to) + i, wide[i]);
    } else if constexpr (kBytes == 8) {
      *reinterpret_cast<uint2*>(to) = half;
    } else if constexpr (kBytes == 4) {
      *reinterpret_cast<unsigned*>(to) = quarter;
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) to[i] = values[i];
    }
  }
};

// x mod n by a multiplication, for x < 2^31 (Granlund and Montgomery): a division costs some 40 instructions.
struct Modulus {
  std::uint32_t divisor = 1, multiplier = 0, shift = 0;

  Modulus() = default;
  explicit Modulus(std::uint32_t n) : divisor(n) {
    while ((std::uint64_t{1} << shift) < n) ++shift;
    multiplier = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - n)) / n + 1);
  }
  __host__ __device__ std::uint32_t of(std::uint32_t x) const {
#if defined(__CUDA_ARCH__)
    const std::uint32_t high = __umulhi(x, multiplier);
#else
    const auto high = static_cast<std::uint32_t>((std::uint64_t{x} * multiplier) >> 32);
#endif
    return x - ((high + x) >> shift) * divisor;
  }
};

// Where the columns of a row-broadcast operand are: element i of the extent stands in column i mod columns.
struct Columns {
  std::uint64_t columns = 1;
  Modulus modulus;
  bool small = true;  // every index is below 2^31
  __device__ __forceinline__ std::uint64_t of(std::uint64_t index) const {
    return small ? modulus.of(static_cast<std::uint32_t>(index)) : index % columns;
  }
};

// Element i of a run as the functor sees it.
template <typename T, int kCount>
__device__ __forceinline__ auto seen(const Run<T, kCount>& run, int i) {
  return Seen<T>::of(run.values[i]);
}
// bf16 are the upper halves of floats: of two in a word, the second needs no shift.
template <int kCount>
__device__ __forceinline__ float seen(const Run<__nv_bfloat16, kCount>& run, int i) {
  if constexpr (kCount % 2 == 0)
    return __uint_as_float(i % 2 == 0 ? run.pairs[i / 2] << 16 : run.pairs[i / 2] & 0xffff0000u);
  else
    return Seen<__nv_bfloat16>::of(run.values[i]);
}

inline bool stands_on(const void* address, unsigned bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

// An array as large as the extent.
template <typename T>
struct ArrayOperand {
  using Value = T;
  const T* data;
  template <int kCount>
  bool whole(std::uint64_t head, const Columns&) const {
    return stands_on(data + head, Run<T, kCount>::kPiece);
  }
  static constexpr bool kByColumn = false;
  template <int kCount>
  __device__ __forceinline__ void load(Run<T, kCount>& run, std::uint64_t at, std::uint64_t, bool whole,
                                       const Columns&) const {
    if (whole) return run.load_whole(data + at);
#pragma unroll
    for (int i = 0; i < kCount; ++i) run.values[i] = data[at + i];
  }
  __device__ __forceinline__ T single(std::uint64_t at, const Columns&) const { return data[at]; }
};

// One value a column, the same in every row.
template <typename T>
struct RowOperand {
  using Value = T;
  const T* data;
  template <int kCount>
  bool whole(std::uint64_t head, const Columns& columns) const {
    return columns.columns % kCount == 0 && head % kCount == 0 && stands_on(data, Run<T, kCount>::kPiece);
  }
  static constexpr bool kByColumn = true;
  template <int kCount>
  __device__ __forceinline__ void load(Run<T, kCount>& run, std::uint64_t, std::uint64_t column, bool whole,
                                       const Columns& columns) const {
    if (whole) return run.load_whole(data + column);
    std::uint64_t c = column;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      run.values[i] = data[c];
      if (++c == columns.columns) c = 0;
    }
  }
  __device__ __forceinline__ T single(std::uint64_t at, const Columns& columns) const { return data[columns.of(at)]; }
};

// One value on the device.
template <typename T>
struct ScalarOperand {
  using Value = T;
  const T* data;
  template <int kCount>
  bool whole(std::uint64_t, const Columns&) const {
    return true;
  }
  static constexpr bool kByColumn = false;
  template <int kCount>
  __device__ __forceinline__ void load(Run<T, kCount>& run, std::uint64_t, std::uint64_t, bool, const Columns&) const {
    const T value = *data;
#pragma unroll
    for (int i = 0; i < kCount; ++i) run.values[i] = value;
  }
  __device__ __forceinline__ T single(std::uint64_t, const Columns&) const { return *data; }
};

}  // namespace syncsniff::detail
