#include "instrument/timeline/launch_period.h"

#include <algorithm>
#include <map>

#include "instrument/timeline/period_segments.h"
#include "instrument/timeline/period_within.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kMostEnqueues = 200000;  // looked at: 2 x 48 cuts of them take well below a second
constexpr size_t kMostCounts = 48;        // numbers of occurrences tried
constexpr size_t kTriedPerCount = 2;      // symbols that come equally often cut alike
constexpr size_t kMinSegments = 3;
constexpr size_t kSmallWindow = 4;  // a window with fewer enqueues than a quarter of the largest is start-up or a tail
constexpr double kMinAlikePeriods = 0.6;
constexpr double kNearBest = 0.8;     // of the greatest alikeness: what an optimizer or a logged value adds may differ
constexpr double kMinCovers = 0.5;    // of the greatest coverage: a validation repeats perfectly, but is not the run
constexpr double kNearlyEvery = 0.9;  // segment has an optimizer's step in it
constexpr double kMostly = 0.6;       // of the enqueues of an optimizer's steps are alike
constexpr size_t kFewKinds = 4;       // of enqueues may repeat for any reason
constexpr double kNearlyAll = 0.75;   // of the enqueues repeat within
constexpr double kSameCount = 0.05;   // windows begin and end within steps

// The largest windows, as many as fit; of a window too large its end, which is furthest from start-up.
std::vector<EnqueueWindow> largest(const std::vector<EnqueueWindow>& windows) {
  std::vector<const EnqueueWindow*> order;
  for (const EnqueueWindow& window : windows) order.push_back(&window);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->size() > b->size(); });
  std::vector<EnqueueWindow> kept;
  size_t room = kMostEnqueues;
  for (const EnqueueWindow* window : order) {
    if (window->size() * kSmallWindow < order[0]->size() || room == 0) break;
    const size_t take = std::min(room, window->size());
    kept.emplace_back(window->end() - static_cast<std::ptrdiff_t>(take), window->end());
    room -= take;
  }
  return kept;
}

// Symbols worth a trial: those that come often enough, two of each number of occurrences; of more numbers than can be
// tried, those that most symbols share, since most of what a step does it does once.
std::vector<uint32_t> candidates_of(const std::vector<EnqueueWindow>& windows, size_t symbols) {
  std::vector<size_t> occurrences(symbols, 0);
  for (const EnqueueWindow& window : windows)
    for (const Enqueue& one : window) ++occurrences[one.symbol];
  std::map<size_t, std::vector<uint32_t>> by_count;
  for (uint32_t symbol = 0; symbol < symbols; ++symbol)
    if (occurrences[symbol] > kMinSegments) by_count[occurrences[symbol]].push_back(symbol);
  std::vector<const std::vector<uint32_t>*> groups;
  for (const auto& [count, group] : by_count) groups.push_back(&group);
  std::stable_sort(groups.begin(), groups.end(), [](const auto* a, const auto* b) { return a->size() > b->size(); });
  if (groups.size() > kMostCounts) groups.resize(kMostCounts);
  std::vector<uint32_t> candidates;
  for (const auto* group : groups)
    candidates.insert(candidates.end(), group->begin(),
                      group->begin() + static_cast<std::ptrdiff_t>(std::min(kTriedPerCount, group->size())));
  return candidates;
}

// Of the cuts that fit, the finest; of equally fine ones the most alike. nullptr: none fits.
template <class Fits>
const Cut* finest_of(const std::vector<Cut>& cuts, Fits fits) {
  size_t finest = 0;
  for (const Cut& cut : cuts)
    if (fits(cut)) finest = std::max(finest, cut.segments);
  const Cut* chosen = nullptr;
  for (const Cut& cut : cuts) {
    const bool fine = static_cast<double>(cut.segments) >= (1 - kSameCount) * static_cast<double>(finest);
    if (fits(cut) && fine && (chosen == nullptr || cut.alike > chosen->alike)) chosen = &cut;
  }
  return chosen;
}

// A kernel that comes once per step belongs to the optimizer's step: the finest cut has one in each segment.
const Cut* with_optimizer(const std::vector<Cut>& cuts) {
  return finest_of(cuts, [](const Cut& cut) { return cut.optimizing >= kNearlyEvery && cut.stepping >= kMostly; });
}

// How often nearly the same comes within a segment of the chosen cut; 0: nothing does.
size_t repeats_within(const std::vector<Cut>& cuts, const Cut& chosen) {
  size_t most = 0;
  for (const Cut& cut : cuts)
    if (cut.repeating >= kNearlyAll && cut.each_kinds >= kFewKinds && cut.segments >= 2 * chosen.segments)
      most = std::max(most, cut.segments);
  return (most + chosen.segments / 2) / chosen.segments;
}

// The finest of the cuts that are nearly as alike as the best one.
const Cut* choose(const std::vector<Cut>& cuts) {
  double covers = 0, alike = 0;
  for (const Cut& cut : cuts)
    if (cut.alike >= kMinAlikePeriods) covers = std::max(covers, cut.covers);
  auto is_candidate = [&](const Cut& cut) {
    return cut.alike >= kMinAlikePeriods && cut.covers >= kMinCovers * covers;
  };
  for (const Cut& cut : cuts)
    if (is_candidate(cut)) alike = std::max(alike, cut.alike);
  return finest_of(cuts, [&](const Cut& cut) { return is_candidate(cut) && cut.alike >= kNearBest * alike; });
}

}  // namespace

std::optional<LaunchPeriod> find_launch_period(const std::vector<EnqueueWindow>& all_windows,
                                               const std::set<uint32_t>& left_out) {
  const std::vector<EnqueueWindow> windows = largest(all_windows);
  const std::vector<double> weights = weights_of(windows);
  const size_t symbols = weights.size();
  std::vector<Cut> cuts;
  for (const uint32_t symbol : candidates_of(windows, symbols)) {
    if (left_out.count(symbol) != 0) continue;
    const Cut cut = cut_at(windows, weights, symbol);
    // A sequence of a single kind is equally alike however it is cut.
    if (cut.segments >= kMinSegments && cut.kinds > 1) cuts.push_back(cut);
  }
  const Cut* const optimizer = with_optimizer(cuts);
  const Cut* const chosen = optimizer != nullptr ? optimizer : choose(cuts);
  if (chosen == nullptr) return std::nullopt;
  const Segments segments = segments_at(windows, chosen->symbol);
  LaunchPeriod period;
  period.symbol = chosen->symbol;
  period.once = once_each(windows, segments, symbols);
  period.segments = chosen->segments;
  period.enqueues = median_enqueues(segments);
  period.kinds = chosen->kinds;
  period.alike = chosen->alike;
  period.covers = chosen->covers;
  period.by_optimizer = optimizer != nullptr;
  if (period.by_optimizer) return period;
  judge_longer_period(windows, segments, symbols, period);
  if (const size_t times = repeats_within(cuts, *chosen); times >= 2 && period.doubt == PeriodDoubt::kNone) {
    period.doubt = PeriodDoubt::kHoldsRepeats;
    period.other_every = times;
  }
  return period;
}

}  // namespace syncsniff::timeline
