// Per device, from CUPTI's records in the windows: busy time is the union of kernels, copies and memsets; the rest of
// the windows is idle. Each idle interval has exactly one cause and one line, and is divided into parts by what the
// host did: the causes add up to the idle time, and so do the parts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/enqueue_time.h"
#include "instrument/timeline/gemm_work.h"
#include "instrument/timeline/gpu_idle.h"
#include "instrument/timeline/host_lines.h"
#include "instrument/timeline/steps.h"
#include "instrument/timeline/window_replay.h"

namespace syncsniff::timeline {

// All gaps of one cause and line.
struct IdleLine {
  IdleCause cause = IdleCause::kUnknown;
  reader::Place place, before;
  std::string api;
  uint64_t idle_ns = 0, gaps = 0;
};

struct DeviceTimeline {
  uint32_t device = 0;
  std::vector<Interval> windows;  // windows in which the device worked
  // The counted part of each: its whole steps; without one, everything from the first work on.
  std::vector<Interval> spans;
  uint64_t covered_ns = 0, busy_ns = 0, idle_ns = 0;  // covered: all spans; busy and idle add up to it
  uint64_t busy_left_out_ns = 0;                      // part of busy_ns: in irregular steps, and outside of all steps
  uint64_t kernels = 0, copies = 0, sets = 0;         // if there are steps: begun in regular ones
  double launched_steps = 0;                          // number of steps that these launches make up; 0: not known
  uint64_t collective_ns = 0;  // part of busy_ns: in kernels of collectives, which also wait there for other ranks
  std::optional<trace::DeviceRecord> description;  // as the driver gave it
  GemmWork gemms;
  EnqueueTime enqueue_time;  // of the whole process
  std::array<uint64_t, kIdleCauses> idle_by_cause{};
  std::vector<IdleGap> gaps;
  std::vector<IdleLine> lines;       // greatest first
  std::vector<HostLine> host_lines;  // greatest first; without end effects
  std::array<uint64_t, kHostDoings> idle_by_doing{};
  WindowReplay replay;           // of the time within steps, where there are steps
  uint64_t starts = 0;           // launches that found the device idle
  uint64_t median_start_ns = 0;  // from the return of such a launch until its work began

  uint64_t end_effects_ns() const { return idle_by_cause[static_cast<size_t>(IdleCause::kEndEffects)]; }
  // Busy time and total time within regular steps, without the incomplete steps at both ends of a window.
  uint64_t steady_busy_ns() const { return busy_ns - busy_left_out_ns; }
  uint64_t steady_ns() const { return covered_ns - end_effects_ns() - busy_left_out_ns; }
};

// Ordered by device number; empty if the run recorded no work of a GPU. If there are steps, idle time outside of
// regular ones counts as end effects, and work there is not counted as work of a step.
std::vector<DeviceTimeline> build_gpu_timelines(const reader::Trace& trace, const reader::Places& places,
                                                const Steps& steps = {});

}  // namespace syncsniff::timeline
