#include "instrument/timeline/gemm_work.h"

#include "instrument/timeline/device_peaks.h"

namespace syncsniff::timeline {
namespace {

constexpr double kNsPerSecond = 1e9;

}  // namespace

void GemmSum::add(const trace::GpuWorkRecord& kernel, uint64_t ns, const trace::CallRecord* launch) {
  work_.kernel_ns += ns;
  if (kernel.graph != 0) work_.graph_ns += ns;
  const auto found = launch != nullptr ? gemms_.find(launch) : gemms_.end();
  if (found == gemms_.end()) return;
  const trace::GemmRecord& gemm = *found->second;
  if (seen_.insert(&gemm).second) add_product(gemm);
  work_.ns += ns;
  const auto math = static_cast<trace::GemmMath>(gemm.math < kGemmMaths ? gemm.math : 0);
  work_.ns_by_math[static_cast<size_t>(math)] += ns;
  if (device_ == nullptr) return;
  const double peak = peak_flops(*device_, math), bandwidth = peak_bandwidth(*device_);
  if (peak > 0) work_.peak_known_ns += ns;
  if (peak > 0 && bandwidth > 0 && least_bytes_of(gemm) / bandwidth > flops_of(gemm) / peak) work_.memory_side_ns += ns;
}

void GemmSum::add_product(const trace::GemmRecord& gemm) {
  ++work_.products;
  work_.flops += flops_of(gemm);
  work_.least_bytes += least_bytes_of(gemm);
  if (device_ == nullptr) return;
  const double peak = peak_flops(*device_, static_cast<trace::GemmMath>(gemm.math));
  if (peak > 0) work_.at_peak_ns += flops_of(gemm) / peak * kNsPerSecond;
}

}  // namespace syncsniff::timeline
