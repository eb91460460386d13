// What helps against a line's idle time, and how much a step would gain. These are predictions;
// tests/gpu/predicted_pairs.py checks them against repaired programs.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::timeline {

enum class Remedy : uint8_t {
  kWorkGone,   // do it elsewhere or not at all: another thread, earlier, less often
  kOptimizer,  // foreach=True or fused=True
  kFused,      // fused=True, where foreach is already used
  kOneLaunch,  // one launch over all tensors
  kOneCopy,    // one copy of all values: a loop of x[i].item()
  kGraph,      // a CUDA graph, torch.compile, a larger batch
};

Remedy remedy_of(const HostLine& line);
const char* to_string(Remedy remedy);

// Upper bound, in ns, of what a step gains if the replay predicts that it gains `saves_ns` without `gone_ns` of host
// code or of a wait for another thread. After a pause of milliseconds the host works with cold caches, and no recording
// shows how much faster the rest of the step is without the pause.
double saves_at_most(const HostLine& line, const StepShare& share, double gone_ns, double saves_ns);
// The mean of the replay's prediction and saves_at_most(). In repaired programs with pauses of 2 ms and more, the
// prediction was up to 30 % off the step that was left, mostly to the same side; the mean is 15 % off at worst.
double expected_saving(const HostLine& line, const StepShare& share, double gone_ns, double saves_ns);

// What a step gains, in ns, when lines of a device are fixed; for a graph an upper bound. Assumes that the device works
// as long as before. Uses the replay of the windows or, if that does not reproduce the recorded time, sums.
class Gains {
 public:
  // Both must outlive this object.
  Gains(const DeviceTimeline& device, const StepShare& share);

  double of(const HostLine& line) const;
  double of_all(const std::vector<const HostLine*>& lines) const;

 private:
  // The share of a line's time that its fix removes. Each launch to an idle device has launch latency as well; that of
  // one launch remains. A graph contains the launches of all lines: of each line's time, the share remains that one
  // launch is of all launches.
  double removed_share(const HostLine& line) const;
  double by_sums(const HostLine& line) const;

  const DeviceTimeline& device_;
  const StepShare& share_;
  WindowReplay::Scale scale_;
  double base_ns_ = 0, steps_ = 0;  // of the replay; 0 steps: the replay is not used
  uint64_t launches_ = 0;           // of all lines
};

}  // namespace syncsniff::timeline
