#include "instrument/timeline/launched_steps.h"

namespace syncsniff::timeline {

double launched_steps(const reader::Trace& trace, const Steps& steps, uint32_t device, uint64_t kernels) {
  constexpr uint64_t kFewKernels = 100;  // with fewer, one odd launch of a step is more than a percent
  double all = 0, of_device = 0;
  for (const auto& event : trace.site_counts) {
    if (event.record.call_class != static_cast<uint8_t>(trace::CallClass::kLaunch)) continue;
    const auto count = static_cast<double>(event.record.count);
    all += count;
    if (event.record.device == device) of_device += count;
  }
  if (kernels < kFewKernels || of_device <= 0) return 0;
  const double of_step = steps.launches * of_device / all;
  return of_step > 0 ? static_cast<double>(kernels) / of_step : 0;
}

}  // namespace syncsniff::timeline
