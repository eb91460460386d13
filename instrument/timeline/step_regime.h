// What bounds a step: the host that feeds the device, the device's arithmetic, or its memory. From the windows: how
// busy the device was, and how near the matrix products whose shapes are known came to what it could do.
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
  kPartly,      // for less than nine tenths
  kCollective,  // busy, half of it in collectives or more
  kCompute,     // busy, mostly with matrix products that reach half of the peak or more
  kMemory,      // busy, mostly with matrix products that have to move more than they compute, at half of the bandwidth
  kGpu,         // busy, and what bounds its kernels is not known
};
const char* to_string(StepRegime regime);

struct RegimeOf {
  StepRegime regime = StepRegime::kGpu;
  double busy = 0;                                   // of the step
  double gemm_share = 0;                             // of all kernels' time: that of products whose shapes are known
  double flops = 0;                                  // of a step (of the windows)
  std::optional<double> of_peak_step;                // of the peak, over the step
  std::optional<double> of_peak_running;             // while the products run
  std::optional<double> of_bandwidth_running;        // at least: each factor and result moved once
  trace::GemmMath math = trace::GemmMath::kUnknown;  // in which most of their time is spent
  double peak_flops = 0;                             // a second, of `math`
};

RegimeOf regime_of(const DeviceTimeline& device, const StepShare& share);

}  // namespace syncsniff::timeline
