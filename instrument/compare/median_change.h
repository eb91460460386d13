// How far a median moved from one recording to another, and whether that is more than the noise of the steps. Pure:
// knows nothing of traces.
#pragma once

#include <cstddef>
#include <vector>

namespace syncsniff::compare {

// Of values in any order: their number, quartiles and median. All zero for none.
struct Spread {
  size_t count = 0;
  double low = 0, median = 0, high = 0;
};
Spread spread_of(std::vector<double> values);

// Median of b by median of a.
struct MedianRatio {
  double ratio = 1;
  double low = 1, high = 1;  // 95 % interval; equal to ratio where it is not known
  double drift = 1;          // of a and b, the one whose halves differ more: longer half by shorter one, in medians
  bool known = false;        // is there an interval?

  bool interval_excludes_one() const { return known && (low > 1 || high < 1); }
  // What changes by itself from one half of a recording to the other is no evidence between two recordings.
  bool beyond_noise() const { return interval_excludes_one() && (ratio > drift || 1 / ratio > drift); }
};

inline constexpr size_t kFewestSteps = 6;  // of fewer values no 95 % interval of a median can be told

// `a`, `b`: step times in the order in which they came. Neighbouring steps are alike, so whole stretches of them are
// drawn again (a block bootstrap with a fixed seed: the same values give the same interval). Unknown below kFewestSteps
// on either side, and where a median is 0. The drift needs twice as many.
MedianRatio ratio_of_medians(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace syncsniff::compare
