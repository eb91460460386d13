// The matrix products among a device's kernels, summed over the windows.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>

#include "instrument/timeline/gemm_match.h"

namespace syncsniff::timeline {

inline constexpr size_t kGemmMaths = static_cast<size_t>(trace::GemmMath::kInt8) + 1;

// Times of kernels are sums, not unions: if two kernels overlap, both count.
struct GemmWork {
  uint64_t kernel_ns = 0;         // of all kernels of the device
  uint64_t graph_ns = 0;          // of these, of kernels that came from graphs
  uint64_t products = 0, ns = 0;  // matrix products with known shapes, and the time of their kernels
  // Part of ns: products that take longer at the memory's peak than at the arithmetic peak.
  uint64_t memory_side_ns = 0;
  double flops = 0, least_bytes = 0;
  double at_peak_ns = 0;       // what the products whose peak is known would take at that peak
  uint64_t peak_known_ns = 0;  // how long the kernels of those products took
  std::array<uint64_t, kGemmMaths> ns_by_math{};
};

class GemmSum {
 public:
  // `device` is nullptr if the trace does not describe it.
  GemmSum(const GemmOf& gemms, const trace::DeviceRecord* device) : gemms_(gemms), device_(device) {}

  // `launch` is nullptr if it is not known.
  void add(const trace::GpuWorkRecord& kernel, uint64_t ns, const trace::CallRecord* launch);
  const GemmWork& work() const { return work_; }

 private:
  void add_product(const trace::GemmRecord& gemm);

  const GemmOf& gemms_;
  const trace::DeviceRecord* device_;
  std::unordered_set<const trace::GemmRecord*> seen_;
  GemmWork work_;
};

}  // namespace syncsniff::timeline
