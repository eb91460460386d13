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
  bool known = false;        // is there an interval?
  bool beyond_noise() const { return known && (low > 1 || high < 1); }
};

inline constexpr size_t kFewestSteps = 6;  // of fewer values no 95 % interval of a median can be told

// `a`, `b`: step times in the order in which they came. Neighbouring steps are alike, so whole stretches of them are
// drawn again (a block bootstrap with a fixed seed: the same values give the same interval). Unknown below kFewestSteps
// on either side, and where a median is 0.
MedianRatio ratio_of_medians(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace syncsniff::compare
