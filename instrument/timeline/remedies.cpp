#include "instrument/timeline/remedies.h"

#include <algorithm>

namespace syncsniff::timeline {

Remedy remedy_of(const HostLine& line) {
  if (line.doing != HostDoing::kLaunching) return Remedy::kWorkGone;
  if (line.part == reader::StepPart::kOptimizer) return Remedy::kOptimizer;
  return line.in_row * 2 > line.launches ? Remedy::kOneLaunch : Remedy::kGraph;
}

const char* to_string(Remedy remedy) {
  switch (remedy) {
    case Remedy::kWorkGone:
      return "work gone";
    case Remedy::kOptimizer:
      return "foreach or fused optimizer";
    case Remedy::kOneLaunch:
      return "one launch";
    case Remedy::kGraph:
      return "graph";
  }
  return "";
}

double gain_ns(const HostLine& line, const StepShare& share) {
  const double own = share.of(line);
  if (line.doing != HostDoing::kLaunching) return own;
  // Each launch to an idle device has launch latency as well; that of one launch (or graph) remains.
  const double all = own + share.of(HostDoing::kStarting, line.starting_ns);
  const double each = share.of_steps ? static_cast<double>(line.launches) / share.steps : 0;
  return all * (1 - 1 / std::max(1.0, each));
}

}  // namespace syncsniff::timeline
