#include "instrument/compare/median_change.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "instrument/timeline/median.h"

namespace syncsniff::compare {
namespace {

constexpr size_t kBlocks = 20;       // stretches per recording; 10 to 30 are usual for the method of batch means
constexpr size_t kDraws = 1000;      // number of draws; 25 of their ratios lie beyond each end of the interval
constexpr size_t kMostKept = 20000;  // steps used per recording; if there are more, every n-th is used
constexpr double kTail = 0.025;

// splitmix64: random enough for this purpose, and the same on every machine.
class Random {
 public:
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_ = 1;
};

// A recording's steps, cut into blocks of equal length. Draws the median of a recording that is resampled from these
// blocks.
class Resampled {
 public:
  explicit Resampled(const StepTimes& values) {
    const size_t every = (values.size() + kMostKept - 1) / kMostKept;
    const size_t count = values.size() / every;
    blocks_ = std::min(kBlocks, count);
    for (size_t i = 0; i < count; ++i) sorted_.push_back({values[i * every], i * blocks_ / count});
    std::sort(sorted_.begin(), sorted_.end(), [](const Step& x, const Step& y) { return x.value < y.value; });
    for (const Step& step : sorted_) ++sizes_[step.block];
  }

  double draw_median(Random& random) const {
    std::array<uint32_t, kBlocks> times{};  // how often each block was drawn
    for (size_t i = 0; i < blocks_; ++i) ++times[random.next() % blocks_];
    size_t all = 0, below = 0;
    for (size_t i = 0; i < blocks_; ++i) all += times[i] * sizes_[i];
    for (const Step& step : sorted_)
      if (below += times[step.block]; 2 * below > all) return step.value;
    return sorted_.back().value;
  }

 private:
  struct Step {
    double value;
    size_t block;
  };
  size_t blocks_ = 0;
  std::vector<Step> sorted_;
  std::array<size_t, kBlocks> sizes_{};
};

double draw(const std::vector<Resampled>& side, Random& random) {
  std::vector<double> medians;
  for (size_t i = 0; i < side.size(); ++i) medians.push_back(side[random.next() % side.size()].draw_median(random));
  return middle_of(std::move(medians));
}

double apart(double first, double second) {
  const auto [less, more] = std::minmax(first, second);
  return less > 0 ? more / less : 1;
}

double drift_within(const StepTimes& values) {
  if (values.size() < 2 * kFewestSteps) return 1;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return apart(timeline::median(StepTimes(values.begin(), middle)), timeline::median(StepTimes(middle, values.end())));
}

double drift_of(const std::vector<StepTimes>& side, bool with_halves) {
  double drift = 1;
  std::vector<double> medians;
  for (const StepTimes& times : side) {
    medians.push_back(timeline::median(times));
    if (with_halves) drift = std::max(drift, drift_within(times));
  }
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  return std::max(drift, apart(*least, *most));
}

// The median of the recordings' medians; 0 if one of them has no steps.
double middle_median(const std::vector<StepTimes>& side) {
  std::vector<double> medians;
  for (const StepTimes& times : side) {
    if (times.empty()) return 0;
    medians.push_back(timeline::median(times));
  }
  return medians.empty() ? 0 : middle_of(std::move(medians));
}

bool all_have_enough(const std::vector<StepTimes>& side) {
  return std::all_of(side.begin(), side.end(), [](const StepTimes& times) { return times.size() >= kFewestSteps; });
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return {n, values[(n - 1) / 4], values[n / 2], values[n - 1 - (n - 1) / 4]};
}

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

MedianRatio ratio_of_medians(const StepTimes& a, const StepTimes& b) {
  return ratio_of_medians(std::vector<StepTimes>{a}, std::vector<StepTimes>{b});
}

MedianRatio ratio_of_medians(const std::vector<StepTimes>& a, const std::vector<StepTimes>& b) {
  MedianRatio result;
  const double before = middle_median(a), after = middle_median(b);
  if (before <= 0 || after <= 0) return result;
  result.ratio = result.low = result.high = after / before;
  if (!all_have_enough(a) || !all_have_enough(b)) return result;
  const bool with_halves = std::min(a.size(), b.size()) == 1;
  result.drift = std::max(drift_of(a, with_halves), drift_of(b, with_halves));
  const std::vector<Resampled> left(a.begin(), a.end()), right(b.begin(), b.end());
  Random random;
  std::vector<double> ratios;
  for (size_t i = 0; i < kDraws; ++i) {
    const double below = draw(left, random);
    if (below > 0) ratios.push_back(draw(right, random) / below);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto tail = static_cast<size_t>(kTail * static_cast<double>(ratios.size()));
  result.low = ratios[tail];
  result.high = ratios[ratios.size() - 1 - tail];
  result.known = true;
  return result;
}

}  // namespace syncsniff::compare
