// What-if replay: the recorded host timeline is played again against one queue of device work, with some calls fixed.
// docs/how-the-numbers-are-made.md says what it assumes. Times are ns; only build_replay reads a trace.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/sites.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

enum class HostAct : uint8_t {
  kEnqueue,  // a burst: puts device_ns of work on the queue while the host goes on
  kWait,     // returns when the queue is empty
  kCopy,     // the same, and then its own transfer runs while the host is blocked
  kHost,     // blocks only the host: allocations, frees, module loads
};

inline constexpr uint32_t kNoStrand = UINT32_MAX;
inline constexpr double kCopyNsPerByte = 0.06;  // to the device, from pageable memory: 8 MiB took 480 us

struct HostItem {
  HostAct act = HostAct::kHost;
  bool first_of_step = false;
  uint32_t strand = kNoStrand;  // index into the strands that the replay was built with
  uint32_t operations = 0;      // kEnqueue: kernels and copies
  double gap_ns = 0;            // host work between the item before and this one
  double host_ns = 0;           // kEnqueue, kHost: in it. kWait, kCopy: the least that it takes on an empty queue
  double device_ns = 0;         // kEnqueue: device time of all operations. kCopy: its own transfer
  double latency_ns = 0;        // kWait: from the queue's end to the return
};

// Launches that become fewer: what they are in each step now, and how many are left.
struct MergedLaunches {
  double launches = 0, host_ns = 0, left = 1;
};

struct WhatIf {
  std::vector<uint32_t> mended;  // strands: waits return at once, copies run beside the kernels, the rest is gone
  std::vector<MergedLaunches> merged;
};

// Time from the first item's begin to the end of host and device. Pure.
double play(const std::vector<HostItem>& items, const WhatIf& change);

struct Replay {
  std::vector<HostItem> items;
  size_t steps = 0;        // that the items belong to
  double recorded_ns = 0;  // of these steps, as they were
  double base_ns = 0;      // the same, played with nothing changed

  bool usable() const;   // it has items, and playing them gives the recorded time within a tenth
  double error() const;  // (base - recorded) / recorded
  double saving_ns(const WhatIf& change) const;  // for each step, at least 0
};

// Of the regular steps (of the whole run, as one step, when there are none). replay_build.cpp.
Replay build_replay(const reader::Trace& trace, const Steps& steps, const std::vector<Site>& strands);

}  // namespace syncsniff::timeline
