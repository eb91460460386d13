// What limits a step at each value of a variable, told by how step time and GPU work grow with it. Pure: knows nothing
// of traces. Never tells compute from memory: that needs counters of the kernels, which a run does not record.
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

// What of the additional work a step pays for, from one point to the next: 0: it takes no longer, 1: it grows in
// proportion to the value.
struct Growth {
  double time = 0, low = 0, high = 0;  // with its 95 % interval
  bool known = false;
};

enum class Regime {
  kOverheadBound,  // more work takes no longer, and the GPU idles: the host's side dominates
  kNotFilled,      // more work takes no longer, though the GPU always has some: its kernels are too small to fill it
  kGpuBound,       // the GPU has work nearly all the time, and a step grows in proportion
  kGpuPartly,      // the same, and a step grows by less
  kHostBound,      // a step grows in proportion while the GPU idles: the host's own work grows (loading of data)
  kBetween,
  kFlat,    // takes no longer; the GPU's side is not known
  kGrows,   // grows in proportion; the GPU's side is not known
  kUnsure,  // the steps are too noisy, or too few
};
const char* to_string(Regime regime);

// Definitions, not measurements; docs/how-the-numbers-are-made.md has them.
inline constexpr double kFlatBelow = 0.25, kLinearAbove = 0.75;  // of a growth's whole interval
inline constexpr double kWorkGrows = 0.5;
inline constexpr double kBusy = 0.9, kMostlyBusy = 0.75, kMostlyIdle = 0.5;

// Where overhead-bound turns to GPU-bound.
struct Turn {
  size_t last_flat = 0, first_bound = 0;  // points
  double value = 0;                       // where the line of the later ones meets the level of the earlier ones
};

struct Curve {
  std::vector<Growth> growth;   // from each point to the next: one less than points
  std::vector<Regime> regimes;  // of each point: by the growth to the next one, of the last by that before it
  std::optional<Turn> turn;
};

// Points in ascending order of value.
Curve read_curve(const std::vector<Point>& points);

}  // namespace syncsniff::scale
