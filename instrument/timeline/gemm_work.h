// The matrix products among a device's kernels, summed over the windows.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>

#include "instrument/timeline/gemm_match.h"

namespace syncsniff::timeline {

inline constexpr size_t kGemmMaths = static_cast<size_t>(trace::GemmMath::kInt8) + 1;

// Times of kernels are sums, not unions: two that run side by side count both.
struct GemmWork {
  uint64_t kernel_ns = 0;         // of all kernels of the device
  uint64_t graph_ns = 0;          // of these, of kernels that came from graphs
  uint64_t products = 0, ns = 0;  // whose shapes are known, and the time of their kernels
  uint64_t memory_side_ns = 0;    // of that: what takes longer at the memory's peak than at the arithmetic's
  double flops = 0, least_bytes = 0;
  double at_peak_ns = 0;       // what they would take at the peak; of those of which it is known:
  uint64_t peak_known_ns = 0;  // so long their kernels ran
  std::array<uint64_t, kGemmMaths> ns_by_math{};
};

class GemmSum {
 public:
  // `device` nullptr: the trace does not describe it.
  GemmSum(const GemmOf& gemms, const trace::DeviceRecord* device) : gemms_(gemms), device_(device) {}

  // `launch` nullptr: not known.
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
