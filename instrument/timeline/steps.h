// The training steps of a run: from NVTX ranges, or from the line whose calls come most regularly.
// Says how they were found and how sure that is; finds none rather than guess.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

inline constexpr size_t kMinSteps = 3;

struct Interval {
  uint64_t begin = 0, end = 0;
  uint64_t length() const { return end > begin ? end - begin : 0; }
};

struct Steps {
  std::vector<Interval> regular;  // in time order, disjoint
  size_t irregular = 0;           // longer than three medians (validation, checkpoints): left out of per-step figures
  size_t seen = 0;                // begun, whether measured or not
  size_t warm_up = 0;             // first steps, longer or loading code: they belong to start-up
  uint64_t median_ns = 0;         // of the regular ones
  std::string how;                // one line for the report; when none were found, why
  std::string confidence;         // high | fair | low
  bool found() const { return !regular.empty(); }
  bool contains(uint64_t time_ns) const;
  bool before(uint64_t time_ns) const { return found() && time_ns < regular.front().begin; }
  bool after(uint64_t time_ns) const { return found() && time_ns >= regular.back().end; }
  uint64_t regular_ns() const;  // all regular steps together
};

// Did any call wait for the GPU? Loading, allocating and freeing do not count.
bool anything_waits(const reader::Trace& trace);

Steps find_steps(const reader::Trace& trace, const reader::Places& places);

}  // namespace syncsniff::timeline
