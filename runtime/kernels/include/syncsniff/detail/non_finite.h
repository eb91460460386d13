// What NaN and infinity look like as bits: an exponent of ones. Bits, because -ffast-math takes std::isfinite away.
#pragma once

#include <cstdint>

namespace syncsniff::detail {

inline constexpr std::uint32_t kFp32Exponent = 0x7f800000u;
inline constexpr std::uint32_t kFp64ExponentHigh = 0x7ff00000u;  // of the upper word
inline constexpr std::uint32_t kHalfExponent = 0x7c00u;
inline constexpr std::uint32_t kBfloat16Exponent = 0x7f80u;

constexpr bool is_non_finite_fp32(std::uint32_t bits) { return (bits & kFp32Exponent) == kFp32Exponent; }

}  // namespace syncsniff::detail
