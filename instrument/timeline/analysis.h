// The analysis of one run: its sites, steps and, if recorded, its GPU timeline. Contains no printing.
#pragma once

#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/replay.h"
#include "instrument/timeline/sent_again.h"
#include "instrument/timeline/sites.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

struct Totals {
  uint64_t blocked_ns = 0, idle_ns = 0, saving_ns = 0, launches = 0, waits = 0;
};

struct Analysis {
  uint64_t run_ns = 0;
  Steps steps;
  std::vector<Site> strands, sites;  // strands: by call path; sites: by line
  Replay replay;
  Totals run, stepping;  // over all sites; per step: divide stepping by steps.regular.size()
  Totals start_up;       // before the first regular step
  Totals left_out;       // between regular steps, in longer ones
  std::vector<DeviceTimeline> devices;
  // Filled if no window shows a regular step (those of a short run may all lie in its start-up): then only how busy the
  // GPU was is known. Shown to people only; comparisons and limits use figures of steps.
  std::vector<DeviceTimeline> outside_steps;
  SentAgain sent_again;
  std::vector<uint32_t> device_ids;  // devices that calls named, ascending
  // The time that shares and averages refer to: the regular steps, or the whole run where no steps were found.
  uint64_t measured_ns() const { return steps.found() ? steps.regular_ns() : run_ns; }
  double measured_steps() const { return steps.found() ? static_cast<double>(steps.regular.size()) : 1; }
  bool steps_are_sure() const { return steps.found() && steps.confidence != "low"; }
  // True if savings are predictions: the replay must reproduce the recorded time, and the steps must not be a guess.
  bool predicts() const { return replay.usable() && (steps_are_sure() || !steps.found()); }
};

// Throws StepChoiceError if `choice` is made but matches nothing.
Analysis analyse(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice = {});

}  // namespace syncsniff::timeline
