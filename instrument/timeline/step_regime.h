// What limits a step: the host that feeds the device, the device's arithmetic, or its memory. Derived from the windows:
// how busy the device was, and how near the matrix products with known shapes came to its peak.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "instrument/reader/trace.h"
#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::timeline {

enum class StepRegime {
  kOverhead,    // the device is busy for less than half of the step
  kPartly,      // the device is busy for less than nine tenths of it
  kCollective,  // busy, half of it in collectives or more
  kCompute,     // busy, mostly with matrix products that reach half of the peak or more
  kMemory,      // busy, mostly with matrix products that have to move more than they compute, at half of the bandwidth
  kGpu,         // busy, and what bounds its kernels is not known
};
const char* to_string(StepRegime regime);

struct RegimeOf {
  StepRegime regime = StepRegime::kGpu;
  double busy = 0;                                   // of the step
  double gemm_share = 0;                             // share of all kernels' time that products with known shapes take
  double flops = 0;                                  // per step (without steps: in the windows)
  std::optional<double> of_peak_step;                // share of the peak, over the step
  std::optional<double> of_peak_running;             // share of the peak, while the products run
  std::optional<double> of_bandwidth_running;        // lower bound: each factor and result is moved once
  trace::GemmMath math = trace::GemmMath::kUnknown;  // the one that most of their time is spent in
  double peak_flops = 0;                             // FLOP per second, in `math`
};

RegimeOf regime_of(const DeviceTimeline& device, const StepShare& share);

}  // namespace syncsniff::timeline
