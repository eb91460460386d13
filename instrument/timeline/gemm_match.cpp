#include "instrument/timeline/gemm_match.h"

#include <algorithm>
#include <vector>

namespace syncsniff::timeline {
namespace {

using Gemms = std::vector<const trace::GemmRecord*>;

const trace::GemmRecord* gemm_at(const Gemms& gemms, uint64_t time) {
  const auto next = std::upper_bound(gemms.begin(), gemms.end(), time,
                                     [](uint64_t t, const trace::GemmRecord* gemm) { return t < gemm->begin_ns; });
  if (next == gemms.begin()) return nullptr;
  const trace::GemmRecord* gemm = *(next - 1);
  return time - gemm->begin_ns <= gemm->duration_ns ? gemm : nullptr;
}

}  // namespace

GemmOf match_gemms(const reader::Trace& trace) {
  GemmOf matched;
  std::unordered_map<uint32_t, Gemms> by_thread;
  for (const auto& event : trace.gemms) by_thread[event.tid].push_back(&event.record);
  if (by_thread.empty()) return matched;
  for (const auto& event : trace.calls) {
    const trace::CallRecord& call = event.record;
    if (call.call_class != static_cast<uint8_t>(trace::CallClass::kLaunch) || (call.flags & trace::kCapturing) != 0)
      continue;
    const auto gemms = by_thread.find(event.tid);
    if (gemms == by_thread.end()) continue;
    if (const trace::GemmRecord* gemm = gemm_at(gemms->second, call.begin_ns)) matched.emplace(&call, gemm);
  }
  return matched;
}

double flops_of(const trace::GemmRecord& gemm) {
  const double products = static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k) *
                          static_cast<double>(gemm.batch);
  return products * (gemm.is_complex != 0 ? 8 : 2);
}

double least_bytes_of(const trace::GemmRecord& gemm) {
  if (gemm.in_bits == 0 || gemm.out_bits == 0) return 0;
  const auto m = static_cast<double>(gemm.m), n = static_cast<double>(gemm.n), k = static_cast<double>(gemm.k);
  return static_cast<double>(gemm.batch) * ((m * k + k * n) * gemm.in_bits + m * n * gemm.out_bits) / 8;
}

}  // namespace syncsniff::timeline
