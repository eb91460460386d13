// Finds what limits a step at each value of a variable, from how step time and GPU work grow with it. Works on plain
// numbers and does not know traces. It cannot distinguish compute-bound from memory-bound: that needs hardware
// counters, which a run does not record.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "instrument/compare/median_change.h"

namespace syncsniff::scale {

struct Point {
  double value = 0;
  std::vector<double> times_ns;  // of the steps, in time order; may be empty
  double median_ns = 0;          // 0: no steps were found
  std::optional<double> busy;    // share of a step in which the GPU had work; nullopt: not recorded
};

// How much longer a step takes from one point to the next, relative to the value's growth: 0: no longer, 1: in
// proportion to the value.
struct Growth {
  double time = 0, low = 0, high = 0;  // low, high: 95 % interval
  bool known = false;
};

enum class Regime {
  kOverheadBound,  // more work takes no longer, and the GPU idles: the host's overhead dominates
  kNotFilled,      // more work takes no longer, though the GPU is never idle: its kernels are too small to fill it
  kGpuBound,       // the GPU has work nearly all the time, and a step grows in proportion
  kGpuPartly,      // the GPU has work nearly all the time, but a step grows by less than in proportion
  kHostBound,      // a step grows in proportion while the GPU idles: the host's own work grows (data loading)
  kBetween,
  kFlat,    // a step takes no longer; how busy the GPU is, is not known
  kGrows,   // a step grows in proportion; how busy the GPU is, is not known
  kUnsure,  // the steps are too noisy, or too few
};
const char* to_string(Regime regime);

// These are definitions, not measurements; docs/how-the-numbers-are-made.md lists them.
inline constexpr double kFlatBelow = 0.25, kLinearAbove = 0.75;  // limits for a growth's interval
inline constexpr double kWorkGrows = 0.5;
inline constexpr double kBusy = 0.9, kMostlyBusy = 0.75, kMostlyIdle = 0.5;

// Where the regime changes from overhead-bound to GPU-bound.
struct Turn {
  size_t last_flat = 0, first_bound = 0;  // indices of points
  double value = 0;                       // where the line through the later points meets the level of the earlier ones
};

struct Curve {
  std::vector<Growth> growth;  // from each point to the next: one element fewer than points
  // One per point, from the growth to the next point; for the last point, from the growth to it.
  std::vector<Regime> regimes;
  std::optional<Turn> turn;
};

// Points in ascending order of value.
Curve read_curve(const std::vector<Point>& points);

}  // namespace syncsniff::scale
