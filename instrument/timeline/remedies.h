// What helps against a line's idle time, and what a step would gain: predictions, checked against repaired programs by
// tests/gpu/predicted_pairs.py.
#pragma once

#include <cstdint>

#include "instrument/timeline/host_lines.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::timeline {

enum class Remedy : uint8_t {
  kWorkGone,   // do it elsewhere or not at all: another thread, earlier, less often
  kOptimizer,  // foreach=True or fused=True
  kOneLaunch,  // one launch over all tensors
  kGraph,      // a CUDA graph, torch.compile, a larger batch
};

Remedy remedy_of(const HostLine& line);
const char* to_string(Remedy remedy);

// Per step, in ns; for a graph an upper bound. The device is taken to work as long as before.
double gain_ns(const HostLine& line, const StepShare& share);

}  // namespace syncsniff::timeline
