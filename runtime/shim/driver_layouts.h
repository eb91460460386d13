// Byte offsets in the driver's own structs, so that no CUDA header is needed to build.
// A test compares them with cuda.h where one is installed.
#pragma once

namespace syncsniff::shim {

inline constexpr unsigned kConfigStreamOffset = 32;  // CUlaunchConfig.hStream

struct CopyLayout {
  unsigned src_type, src_host, src_device, dst_type, dst_host, dst_device, width, height, depth;
};
inline constexpr CopyLayout kCopy2DLayout = {16, 24, 32, 72, 80, 88, 112, 120, 0};
// The _PEER struct has the same layout.
inline constexpr CopyLayout kCopy3DLayout = {32, 40, 48, 120, 128, 136, 176, 184, 192};

}  // namespace syncsniff::shim
