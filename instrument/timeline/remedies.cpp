#include "instrument/timeline/remedies.h"

#include <algorithm>

namespace syncsniff::timeline {

Remedy remedy_of(const HostLine& line) {
  if (line.doing != HostDoing::kLaunching) return Remedy::kWorkGone;
  if (line.part == reader::StepPart::kOptimizer && line.updates == reader::Updates::kForeach) return Remedy::kFused;
  if (line.part == reader::StepPart::kOptimizer && line.updates < reader::Updates::kForeach) return Remedy::kOptimizer;
  if (line.copies * 2 > line.launches && line.kinds == 0) return Remedy::kOneCopy;
  return line.in_row * 2 > line.launches ? Remedy::kOneLaunch : Remedy::kGraph;
}

const char* to_string(Remedy remedy) {
  switch (remedy) {
    case Remedy::kWorkGone:
      return "work gone";
    case Remedy::kOptimizer:
      return "foreach or fused optimizer";
    case Remedy::kFused:
      return "fused optimizer";
    case Remedy::kOneLaunch:
      return "one launch";
    case Remedy::kOneCopy:
      return "one copy";
    case Remedy::kGraph:
      return "graph";
  }
  return "";
}

double saves_at_most(const HostLine& line, const StepShare& share, double gone_ns, double saves_ns) {
  // A PyTorch step took 5 to 26 % longer after a pause of 9 ms, whether the host slept, spun or waited at a queue, with
  // the GPU idle or busy meanwhile, and up to 13 % longer after 3 ms (H100). This is an upper bound, not an estimate.
  constexpr double kShortestNs = 1e6, kColderPerNs = 0.03 / 1e6, kColdest = 0.25;
  if (!share.of_steps || line.doing != HostDoing::kCode) return saves_ns;
  // A thousand pauses of 50 us do not have the effect of one of 50 ms.
  const double pause_ns = gone_ns / std::max(1.0, share.steps > 0 ? line.pauses / share.steps : 0);
  if (pause_ns < kShortestNs) return saves_ns;
  const double host_left = std::max(0.0, share.step_ns - saves_ns - share.busy_ns);
  return saves_ns + std::min(kColdest, pause_ns * kColderPerNs) * host_left;
}

double expected_saving(const HostLine& line, const StepShare& share, double gone_ns, double saves_ns) {
  return (saves_ns + saves_at_most(line, share, gone_ns, saves_ns)) / 2;
}

Gains::Gains(const DeviceTimeline& device, const StepShare& share) : device_(device), share_(share) {
  for (const HostLine& line : device.host_lines)
    if (line.doing == HostDoing::kLaunching) launches_ += line.launches;
  const WindowReplay& replay = device.replay;
  const auto steady = static_cast<double>(device.steady_ns());
  if (!share.of_steps || steady <= 0 || !replay.usable()) return;
  scale_ = {share.launching_scale * share.steps, share.waiting_scale * share.steps, share.other_scale * share.steps,
            true};
  base_ns_ = replay.play({}, scale_);
  steps_ = share.steps * replay.recorded_ns() / steady;
}

double Gains::removed_share(const HostLine& line) const {
  if (line.doing == HostDoing::kStarting) return 0;
  if (line.doing != HostDoing::kLaunching) return 1;
  const bool in_one_graph = remedy_of(line) == Remedy::kGraph && line.graphs * 2 <= line.launches;
  const auto launches = static_cast<double>(in_one_graph ? std::max(launches_, line.launches) : line.launches);
  const double each = share_.of_steps ? launches / share_.steps : 0;
  return 1 - 1 / std::max(1.0, each);
}

double Gains::by_sums(const HostLine& line) const {
  const double starting = line.doing == HostDoing::kLaunching ? share_.of(HostDoing::kStarting, line.starting_ns) : 0;
  return (share_.of(line) + starting) * removed_share(line);
}

double Gains::of(const HostLine& line) const { return of_all({&line}); }

double Gains::of_all(const std::vector<const HostLine*>& lines) const {
  if (steps_ <= 0) {
    double sum = 0;
    for (const HostLine* line : lines) sum += by_sums(*line);
    return std::min(sum, share_.idle_ns);
  }
  Removed removed;
  for (const HostLine* line : lines) removed.emplace_back(line->row, removed_share(*line));
  return std::clamp(base_ns_ - device_.replay.play(removed, scale_), 0.0, base_ns_) / steps_;
}

}  // namespace syncsniff::timeline
