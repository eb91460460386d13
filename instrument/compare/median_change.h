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
  double drift = 1;    // drift: ratio of the medians of two halves of one recording, or of two recordings of one side
  bool known = false;  // is there an interval?

  bool interval_excludes_one() const { return known && (low > 1 || high < 1); }
  // A difference counts only if it is larger than what changes within one side by itself.
  bool beyond_noise() const { return interval_excludes_one() && (ratio > drift || 1 / ratio > drift); }
};

inline constexpr size_t kFewestSteps = 6;  // with fewer values there is no 95 % interval of a median

using StepTimes = std::vector<double>;  // the step times of one recording, in time order

// Compares the medians of the recordings' medians. Neighbouring steps are alike, so recordings are resampled, and
// within them whole stretches of steps (a block bootstrap with a fixed seed: the same values give the same interval).
// Unknown where a recording has fewer than kFewestSteps, and where a median is 0. The drift is that between the
// recordings of a side where both sides have several; otherwise that between the halves of a recording, for which a
// recording needs twice as many steps.
MedianRatio ratio_of_medians(const std::vector<StepTimes>& a, const std::vector<StepTimes>& b);
MedianRatio ratio_of_medians(const StepTimes& a, const StepTimes& b);

// Of an even number the mean of the two in the middle.
double middle_of(std::vector<double> values);

}  // namespace syncsniff::compare
