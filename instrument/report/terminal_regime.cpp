// Prints the regime of a step, and the figures from which it was derived.
#include <cmath>

#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"
#include "instrument/timeline/device_peaks.h"
#include "instrument/timeline/step_regime.h"

namespace syncsniff::report {
namespace {

using timeline::DeviceTimeline;
using timeline::RegimeOf;
using timeline::StepRegime;
using timeline::StepShare;

constexpr double kMuch = 0.05;  // of the kernels' time

std::string percent(double share) {
  constexpr uint64_t kWhole = 1000000;
  return format_share(static_cast<uint64_t>(std::llround(std::max(0.0, share) * kWhole)), kWhole);
}

std::string reason(const RegimeOf& of) {
  switch (of.regime) {
    case StepRegime::kOverhead:
      return "the GPU idles longer than it works";
    case StepRegime::kPartly:
      return "the GPU idles for " + percent(1 - of.busy) + " of the time";
    case StepRegime::kCollective:
      return "half of the GPU's work or more is collectives";
    case StepRegime::kCompute:
      return "matrix products take most of the kernels' time, near the peak";
    case StepRegime::kMemory:
      return "matrix products take most of the kernels' time, most of them too thin to compute as fast as the memory "
             "delivers";
    default:
      return "whether its arithmetic or its memory bounds most of the kernels is not known";
  }
}

std::string products_text(const DeviceTimeline& device, const StepShare& share, const RegimeOf& of) {
  const timeline::GemmWork& gemms = device.gemms;
  const double graphs =
      gemms.kernel_ns != 0 ? static_cast<double>(gemms.graph_ns) / static_cast<double>(gemms.kernel_ns) : 0;
  const std::string of_graphs =
      graphs >= kMuch ? percent(graphs) + " of the kernels' time is of CUDA graphs, whose shapes are not known" : "";
  if (gemms.products == 0) return of_graphs;
  const std::string when = share.of_steps ? "the step" : "the windows";
  std::string text = "matrix products: " + format_flops(of.flops) + (share.of_steps ? " a step" : "");
  if (of.of_peak_step && of.peak_flops > 0) {
    text += ", " + percent(*of.of_peak_step) + " of the " + timeline::math_name(of.math) + " peak over " + when + ", " +
            percent(*of.of_peak_running) + " while they run (peak " + format_flops(of.peak_flops) + "/s)";
  } else {
    text += std::string(" in ") + timeline::math_name(of.math) + " (no peak is known for it on this GPU)";
  }
  if (of.regime == StepRegime::kMemory && of.of_bandwidth_running)
    text += ", moving as much as " + percent(*of.of_bandwidth_running) + " of the memory's bandwidth";
  text += "; shapes are known for " + percent(of.gemm_share) + " of the kernels' time";
  return of_graphs.empty() ? text : text + "; " + of_graphs;
}

}  // namespace

std::string regime_text(const DeviceTimeline& device, const StepShare& share) {
  const RegimeOf of = timeline::regime_of(device, share);
  const std::string products = products_text(device, share, of);
  return std::string(to_string(of.regime)) + ": " + reason(of) + (products.empty() ? "" : "; " + products);
}

}  // namespace syncsniff::report
