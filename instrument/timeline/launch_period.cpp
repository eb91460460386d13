#include "instrument/timeline/launch_period.h"

#include <algorithm>
#include <map>

#include "instrument/timeline/period_segments.h"
#include "instrument/timeline/period_within.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kMostEnqueues = 200000;  // enqueues examined at most: 2 x 48 cuts of them take well below a second
constexpr size_t kMostCounts = 48;        // numbers of occurrences that are tried at most
constexpr size_t kTriedPerCount = 2;      // symbols with equal numbers of occurrences cut alike
constexpr size_t kMinPeriods = 3;
constexpr size_t kSmallWindow = 4;  // a window with fewer enqueues than a quarter of the largest is start-up or a tail
constexpr double kMinAlikePeriods = 0.6;
constexpr double kNearlyAsAlike =
    0.8;  // of the greatest alikeness; an optimizer or a logged value may make this difference
// Of the greatest coverage; a validation repeats perfectly, but is only part of the run.
constexpr double kMinCovers = 0.5;
constexpr double kNearlyEveryOptimized = 0.9;  // share of the segments that must contain an optimizer's step
constexpr double kLeastCompared = 0.3;         // of the enqueues: a window may hold a step or two, and parts of others
constexpr double kMostlyRepeated = 0.6;        // share of the enqueues that must repeat where an optimizer's steps cut
constexpr size_t kFewEnqueueKinds = 4;         // with fewer kinds, enqueues may repeat for any reason
constexpr double kNearlyAllRepeated = 0.75;    // share of the enqueues that must repeat within a segment
constexpr double kSameEnqueues = 0.05;         // tolerance of counts, since windows begin and end within steps

// Returns the largest windows, kMostEnqueues in all; of a window that is too large its end, which is furthest from
// start-up.
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

// Symbols at which to try cuts: those that occur often enough, two for each number of occurrences. If there are too
// many such numbers, those that most symbols share are tried, since most of what a step does is done once.
std::vector<uint32_t> candidates_of(const std::vector<EnqueueWindow>& windows, size_t symbols) {
  std::vector<size_t> occurrences(symbols, 0);
  for (const EnqueueWindow& window : windows)
    for (const Enqueue& one : window) ++occurrences[one.symbol];
  std::map<size_t, std::vector<uint32_t>> by_count;
  for (uint32_t symbol = 0; symbol < symbols; ++symbol)
    if (occurrences[symbol] > kMinPeriods) by_count[occurrences[symbol]].push_back(symbol);
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

// The finest of the cuts for which `fits` holds; of equally fine ones the most alike. nullptr: there is none.
template <class Fits>
const Cut* finest_of(const std::vector<Cut>& cuts, Fits fits) {
  size_t finest = 0;
  for (const Cut& cut : cuts)
    if (fits(cut)) finest = std::max(finest, cut.segments);
  const Cut* chosen = nullptr;
  for (const Cut& cut : cuts) {
    const bool fine = static_cast<double>(cut.segments) >= (1 - kSameEnqueues) * static_cast<double>(finest);
    if (fits(cut) && fine && (chosen == nullptr || cut.alike > chosen->alike)) chosen = &cut;
  }
  return chosen;
}

// The finest cut with an optimizer's step in nearly each segment: its kernels occur once per training step.
const Cut* with_optimizer(const std::vector<Cut>& cuts) {
  return finest_of(cuts, [](const Cut& cut) {
    return cut.optimizing >= kNearlyEveryOptimized && cut.stepping >= kMostlyRepeated && cut.compared >= kLeastCompared;
  });
}

// How often nearly the same enqueues repeat within a segment of the chosen cut; 0: they do not.
size_t repeats_within(const std::vector<Cut>& cuts, const Cut& chosen) {
  size_t most = 0;
  for (const Cut& cut : cuts)
    if (cut.repeating >= kNearlyAllRepeated && cut.each_kinds >= kFewEnqueueKinds &&
        cut.segments >= 2 * chosen.segments)
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
  return finest_of(cuts, [&](const Cut& cut) { return is_candidate(cut) && cut.alike >= kNearlyAsAlike * alike; });
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
    // The segments of a sequence of a single kind are alike wherever it is cut.
    if (cut.segments >= kMinPeriods && cut.kinds > 1) cuts.push_back(cut);
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
