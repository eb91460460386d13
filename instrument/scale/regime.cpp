#include "instrument/scale/regime.h"

#include <algorithm>

namespace syncsniff::scale {
namespace {

Growth growth_of(const Point& from, const Point& to) {
  Growth growth;
  if (from.median_ns <= 0 || to.median_ns <= 0) return growth;
  const compare::MedianRatio ratio = compare::ratio_of_medians(from.times_ns, to.times_ns);
  const double more = to.value / from.value - 1;
  growth.time = (to.median_ns / from.median_ns - 1) / more;
  growth.low = ratio.known ? (ratio.low - 1) / more : growth.time;
  growth.high = ratio.known ? (ratio.high - 1) / more : growth.time;
  growth.known = ratio.known;
  return growth;
}

// True if the GPU's work grows with the value, at least half as fast as in proportion.
bool work_grows(const Point& from, const Point& to) {
  if (!from.busy || !to.busy || *from.busy <= 0) return false;
  const double more = (*to.busy * to.median_ns) / (*from.busy * from.median_ns) - 1;
  return more / (to.value / from.value - 1) > kWorkGrows;
}

Regime regime_of(const Growth& growth, const std::optional<double>& busy, bool gpu_work_grows) {
  const bool flat = growth.high<kFlatBelow, linear = growth.low> kLinearAbove;
  if (!growth.known || (growth.low < kFlatBelow && growth.high > kLinearAbove)) return Regime::kUnsure;
  if (!busy) return flat ? Regime::kFlat : linear ? Regime::kGrows : Regime::kBetween;
  if (flat && *busy < kBusy) return Regime::kOverheadBound;
  if (flat) return gpu_work_grows ? Regime::kBetween : Regime::kNotFilled;
  if (linear && *busy >= kMostlyBusy) return Regime::kGpuBound;
  if (linear && *busy < kMostlyIdle) return Regime::kHostBound;
  return *busy >= kBusy ? Regime::kGpuPartly : Regime::kBetween;
}

bool is_flat(Regime regime) {
  return regime == Regime::kOverheadBound || regime == Regime::kFlat || regime == Regime::kNotFilled;
}
bool is_bound(Regime regime) {
  return regime == Regime::kGpuBound || regime == Regime::kGpuPartly || regime == Regime::kGrows;
}

// The last flat point before the first GPU-bound one, and the value where the two lines meet.
std::optional<Turn> turn_of(const std::vector<Point>& points, const std::vector<Regime>& regimes) {
  const auto bound = std::find_if(regimes.begin(), regimes.end(), is_bound);
  const auto first_bound = static_cast<size_t>(bound - regimes.begin());
  const auto flat = std::find_if(std::make_reverse_iterator(bound), regimes.rend(), is_flat);
  if (bound == regimes.end() || flat == regimes.rend()) return std::nullopt;
  Turn turn;
  turn.first_bound = first_bound;
  turn.last_flat = static_cast<size_t>(regimes.rend() - flat) - 1;
  const size_t from = std::min(first_bound, points.size() - 2);
  const double slope =
      (points[from + 1].median_ns - points[from].median_ns) / (points[from + 1].value - points[from].value);
  const double low = points[turn.last_flat].value, high = points[first_bound].value;
  const double level = points[turn.last_flat].median_ns;
  turn.value = slope <= 0 ? high : points[from].value + (level - points[from].median_ns) / slope;
  turn.value = std::clamp(turn.value, low, high);
  return turn;
}

}  // namespace

const char* to_string(Regime regime) {
  switch (regime) {
    case Regime::kOverheadBound:
      return "overhead-bound";
    case Regime::kNotFilled:
      return "GPU not filled";
    case Regime::kGpuBound:
      return "GPU-bound";
    case Regime::kGpuPartly:
      return "GPU-bound, sublinear";
    case Regime::kHostBound:
      return "host-bound";
    case Regime::kBetween:
      return "between";
    case Regime::kFlat:
      return "does not grow";
    case Regime::kGrows:
      return "grows";
    case Regime::kUnsure:
      break;
  }
  return "not sure";
}

Curve read_curve(const std::vector<Point>& points) {
  Curve curve;
  for (size_t i = 0; i + 1 < points.size(); ++i) curve.growth.push_back(growth_of(points[i], points[i + 1]));
  for (size_t i = 0; i < points.size() && !curve.growth.empty(); ++i) {
    const size_t from = std::min(i, curve.growth.size() - 1);
    curve.regimes.push_back(regime_of(curve.growth[from], points[i].busy, work_grows(points[from], points[from + 1])));
  }
  if (!curve.regimes.empty()) curve.turn = turn_of(points, curve.regimes);
  return curve;
}

}  // namespace syncsniff::scale
