// Counts the steps of the whole run: finds the period of the launches in windows of the timeline, and how often kernels
// that occur once per period were counted in the whole run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_period.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

inline constexpr uint64_t kMostSteps = 50000000;  // more are a damaged trace

struct LaunchSteps {
  LaunchPeriod period;
  bool by_pauses = false;  // all launches are of one kind; `period` is a burst between two pauses of the host
  uint32_t device = 0;
  size_t count = 0;                    // steps of the whole run
  double launches = 0;                 // per step
  double agreed = 0;                   // share of the counts that agree with `count`
  std::vector<uint32_t> stacks;        // call paths of calls that occur once a step
  uint64_t first_ns = 0, last_ns = 0;  // when the first and the last step made one of these calls
  uint64_t mean_ns = 0;                // of a step, outside of windows; 0: not known
  size_t within = 0;                   // how often the same launches repeat within a step; 0: not known
  std::string disagreement;            // steps of other devices or optimizers, where their number differs
  bool is_alike() const;
  bool is_sure() const;
  // Less alike (the kernels of an expert change with its number of tokens), but of many kinds, and most counts agree.
  // Such steps are preferred to those of a line that occurs less often, as a logged value does.
  bool is_likely() const;
};

// nullopt: the trace has no windows, or nothing repeats in them.
std::optional<LaunchSteps> count_launch_steps(const reader::Trace& trace, const reader::Places& places);

}  // namespace syncsniff::timeline
