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
  kCopy,     // waits like kWait; then its own transfer runs while the host is blocked
  kHost,     // blocks only the host: allocations, frees, module loads
};

inline constexpr uint32_t kNoStrand = UINT32_MAX;
inline constexpr double kCopyNsPerByte = 0.06;  // to the device, from pageable memory: 8 MiB took 480 us

struct HostItem {
  HostAct act = HostAct::kHost;
  bool first_of_step = false;
  uint32_t strand = kNoStrand;  // index into the strands that the replay was built with
  uint32_t operations = 0;      // kEnqueue: number of kernels and copies
  double gap_ns = 0;            // host work between the item before and this one
  double host_ns = 0;           // kEnqueue, kHost: time in the call. kWait, kCopy: its least time, on an empty queue
  double device_ns = 0;         // kEnqueue: device time of all operations. kCopy: its own transfer
  double latency_ns = 0;        // kWait: from the queue's end to the return
};

// Launches that are merged: how many there are in each step now, and how many are left.
struct MergedLaunches {
  double launches = 0, host_ns = 0, left = 1;
};

struct WhatIf {
  // Fixed strands: waits return at once, copies run beside the kernels, other calls are gone.
  std::vector<uint32_t> mended;
  std::vector<MergedLaunches> merged;
};

// Returns the time from the first item's begin to the end of host and device.
double play(const std::vector<HostItem>& items, const WhatIf& change);

struct Replay {
  std::vector<HostItem> items;
  size_t steps = 0;        // number of steps that the items belong to
  double recorded_ns = 0;  // length of these steps as recorded
  double base_ns = 0;      // their length when played unchanged

  bool usable() const;   // it has items, and playing them gives the recorded time within a tenth
  double error() const;  // (base - recorded) / recorded
  double saving_ns(const WhatIf& change) const;  // per step, at least 0
};

// Builds the replay of the regular steps; without steps, of the whole run as one step. Defined in replay_build.cpp.
Replay build_replay(const reader::Trace& trace, const Steps& steps, const std::vector<Site>& strands);

}  // namespace syncsniff::timeline
