#include "instrument/timeline/device_peaks.h"

#include <array>
#include <cstddef>

namespace syncsniff::timeline {
namespace {

using trace::GemmMath;
constexpr std::size_t kMaths = static_cast<std::size_t>(GemmMath::kInt8) + 1;

// FLOP per multiprocessor and cycle; a multiplication and an addition are two. From the data sheets: their figure for
// dense matrices / (multiprocessors x clock). If a product line is limited to less (GeForce: half with 32-bit sums),
// this is what the chip could do. docs/how-the-numbers-are-made.md has the same table.
struct Throughput {
  int major, minor;
  std::array<int, kMaths> by_math;  // unknown, f64, f32, tf32, f16, bf16, fp8, fp4, int8
};
constexpr Throughput kThroughputs[] = {
    {7, 0, {0, 64, 128, 0, 1024, 0, 0, 0, 0}},
    {7, 5, {0, 4, 128, 0, 1024, 0, 0, 0, 2048}},
    {8, 0, {0, 128, 128, 1024, 2048, 2048, 0, 0, 4096}},
    {8, 6, {0, 4, 256, 512, 1024, 1024, 0, 0, 2048}},
    {8, 9, {0, 4, 256, 512, 1024, 1024, 2048, 0, 2048}},
    {9, 0, {0, 256, 256, 2048, 4096, 4096, 8192, 0, 8192}},
    {10, 0, {0, 128, 256, 4096, 8192, 8192, 16384, 32768, 16384}},
    {12, 0, {0, 4, 256, 512, 1024, 1024, 2048, 4096, 2048}},
};

const Throughput* throughput_of(const trace::DeviceRecord& device) {
  for (const Throughput& one : kThroughputs)
    if (one.major == device.major && one.minor == device.minor) return &one;
  return nullptr;
}

}  // namespace

double peak_flops(const trace::DeviceRecord& device, GemmMath math) {
  const Throughput* of = throughput_of(device);
  const auto index = static_cast<std::size_t>(math);
  if (of == nullptr || index >= kMaths) return 0;
  int each = of->by_math[index];
  // Chips without TF32 units compute such products in FP32.
  if (each == 0 && math == GemmMath::kTf32) each = of->by_math[static_cast<std::size_t>(GemmMath::kF32)];
  return static_cast<double>(each) * device.multiprocessors * device.clock_khz * 1e3;
}

// Memory transfers data twice per clock cycle.
double peak_bandwidth(const trace::DeviceRecord& device) {
  return 2.0 * device.memory_clock_khz * 1e3 * device.memory_bus_bits / 8;
}

const char* math_name(GemmMath math) {
  static constexpr const char* kNames[kMaths] = {"unknown", "fp64", "fp32", "tf32", "fp16",
                                                 "bf16",    "fp8",  "fp4",  "int8"};
  const auto index = static_cast<std::size_t>(math);
  return kNames[index < kMaths ? index : 0];
}

}  // namespace syncsniff::timeline
