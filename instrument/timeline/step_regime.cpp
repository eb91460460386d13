#include "instrument/timeline/step_regime.h"

#include <algorithm>

#include "instrument/timeline/device_peaks.h"

namespace syncsniff::timeline {
namespace {

// These are definitions, not measurements; docs/how-the-numbers-are-made.md lists them.
constexpr double kMostlyIdle = 0.5, kBusy = 0.9;
constexpr double kMostOfKernels = 0.5;  // of the kernels' time
constexpr double kNearItsPeak = 0.5;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

StepRegime judge(const RegimeOf& of, const DeviceTimeline& device) {
  const GemmWork& gemms = device.gemms;
  if (of.busy < kMostlyIdle) return StepRegime::kOverhead;
  if (of.busy < kBusy) return StepRegime::kPartly;
  if (ratio(static_cast<double>(device.collective_ns), static_cast<double>(device.busy_ns)) >= kMostOfKernels)
    return StepRegime::kCollective;
  if (of.gemm_share < kMostOfKernels) return StepRegime::kGpu;
  if (of.of_peak_running.value_or(0) >= kNearItsPeak) return StepRegime::kCompute;
  const bool moves_mostly = static_cast<double>(gemms.memory_side_ns) >= kMostOfKernels * static_cast<double>(gemms.ns);
  return moves_mostly && of.of_bandwidth_running.value_or(0) >= kNearItsPeak ? StepRegime::kMemory : StepRegime::kGpu;
}

}  // namespace

const char* to_string(StepRegime regime) {
  switch (regime) {
    case StepRegime::kOverhead:
      return "overhead-bound";
    case StepRegime::kPartly:
      return "partly overhead-bound";
    case StepRegime::kCollective:
      return "bound by collectives";
    case StepRegime::kCompute:
      return "compute-bound";
    case StepRegime::kMemory:
      return "memory-bound";
    default:
      return "GPU-bound";
  }
}

RegimeOf regime_of(const DeviceTimeline& device, const StepShare& share) {
  const GemmWork& gemms = device.gemms;
  const double steps = share.of_steps && share.steps > 0 ? share.steps : 1;
  const auto ns = static_cast<double>(gemms.ns);
  RegimeOf of;
  of.busy = ratio(share.busy_ns, share.step_ns);
  of.gemm_share = ratio(ns, static_cast<double>(gemms.kernel_ns));
  of.flops = gemms.flops / steps;
  const auto most = std::max_element(gemms.ns_by_math.begin(), gemms.ns_by_math.end());
  of.math = static_cast<trace::GemmMath>(most - gemms.ns_by_math.begin());
  if (device.description) of.peak_flops = peak_flops(*device.description, of.math);
  // If the peak of some of the products is not known, no share is given: it would be that of the others.
  if (gemms.ns != 0 && gemms.peak_known_ns == gemms.ns) {
    of.of_peak_step = ratio(gemms.at_peak_ns / steps, share.step_ns);
    of.of_peak_running = gemms.at_peak_ns / ns;
  }
  const double bandwidth = device.description ? peak_bandwidth(*device.description) : 0;
  if (gemms.ns != 0 && bandwidth > 0) of.of_bandwidth_running = gemms.least_bytes / (ns / 1e9) / bandwidth;
  of.regime = judge(of, device);
  return of;
}

}  // namespace syncsniff::timeline
