// How much a median changed from one recording to another, and whether the change exceeds the noise of the steps. Works
// on plain numbers and does not know traces.
#pragma once

#include <cstddef>
#include <vector>

namespace syncsniff::compare {

// Number, quartiles and median of values in any order. All 0 without values.
struct Spread {
  size_t count = 0;
  double low = 0, median = 0, high = 0;
};
Spread spread_of(std::vector<double> values);

// The median of b divided by the median of a.
struct MedianRatio {
  double ratio = 1;
  double low = 1, high = 1;  // 95 % interval; equal to ratio if the interval is not known
  double drift = 1;          // ratio of the medians of two halves of one recording, or of two recordings of one side
  bool known = false;        // is there an interval?

  bool interval_excludes_one() const { return known && (low > 1 || high < 1); }
  // A change counts only if it is larger than the drift within one side.
  bool beyond_noise() const { return interval_excludes_one() && (ratio > drift || 1 / ratio > drift); }
};

inline constexpr size_t kFewestSteps = 6;  // with fewer values there is no 95 % interval of a median

using StepTimes = std::vector<double>;  // the step times of one recording, in time order

// Compares the medians of the recordings' medians. Neighbouring steps are alike, so the bootstrap resamples recordings,
// and within them whole blocks of steps; its seed is fixed, so the same values give the same interval. No interval is
// known if a recording has fewer than kFewestSteps, or a median is 0. The drift is the one between the recordings of a
// side if both sides have several; otherwise between the halves of a recording, for which a recording needs 2 x
// kFewestSteps.
MedianRatio ratio_of_medians(const std::vector<StepTimes>& a, const std::vector<StepTimes>& b);
MedianRatio ratio_of_medians(const StepTimes& a, const StepTimes& b);

// The median; of an even number of values the mean of the two in the middle.
double middle_of(std::vector<double> values);

}  // namespace syncsniff::compare
