#include "instrument/timeline/period_within.h"

#include <algorithm>
#include <map>

namespace syncsniff::timeline {
namespace {

using Presence = std::vector<uint32_t>;  // indices of the segments that contain a symbol, ascending

constexpr size_t kMinTimes = 3;     // repetitions of the longer period that must be seen
constexpr size_t kMostWithin = 64;  // a step has no more micro-batches than that; an epoch has
// Share of the kinds of enqueues; a logged mean is one or two kernels of some hundred.
constexpr double kMinOptimizer = 0.04;
constexpr double kMaxOptimizer = 0.2;  // a validation's forward pass is a quarter or more
constexpr size_t kFewSymbols = 8;      // a step with fewer kinds of enqueues, and without a graph, may be a layer

std::vector<Presence> presences(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols) {
  std::vector<Presence> list(symbols);
  for (uint32_t s = 0; s < segments.size(); ++s)
    for (size_t i = segments[s].begin; i < segments[s].end; ++i) {
      Presence& presence = list[windows[segments[s].window][i].symbol];
      if (presence.empty() || presence.back() != s) presence.push_back(s);
    }
  return list;
}

// The distance from each of these segments to the next in the same window, if it is always the same; otherwise 0.
size_t constant_distance(const Presence& presence, const Segments& segments) {
  size_t distance = 0;
  for (size_t i = 1; i < presence.size(); ++i) {
    if (segments[presence[i]].window != segments[presence[i - 1]].window) continue;
    const size_t gap = presence[i] - presence[i - 1];
    if (distance != 0 && gap != distance) return 0;
    distance = gap;
  }
  return presence.size() >= kMinTimes ? distance : 0;
}

Presence absence(const Presence& presence, size_t segments) {
  Presence rest;
  size_t next = 0;
  for (uint32_t s = 0; s < segments; ++s) {
    if (next < presence.size() && presence[next] == s)
      ++next;
    else
      rest.push_back(s);
  }
  return rest;
}

struct Extra {
  size_t kernels = 0, others = 0;  // kinds of enqueues
  size_t every = 0;
  size_t symbols() const { return kernels + others; }
};

// Of the symbols that occur only in every n-th segment, the largest group that occurs in the same segments.
Extra largest_extra(const std::vector<Presence>& presences, const std::vector<EnqueueKind>& kinds,
                    const Segments& segments) {
  std::map<Presence, Extra> groups;
  for (size_t symbol = 0; symbol < presences.size(); ++symbol) {
    if (presences[symbol].size() < kMinTimes || presences[symbol].size() * 3 > segments.size() * 2) continue;
    const size_t every = constant_distance(presences[symbol], segments);
    if (every < 2 || every > kMostWithin) continue;
    Extra& extra = groups[presences[symbol]];
    extra.every = every;
    ++(kinds[symbol] == EnqueueKind::kOther ? extra.others : extra.kernels);
  }
  Extra largest;
  for (const auto& [presence, extra] : groups)
    if (extra.symbols() > largest.symbols()) largest = extra;
  return largest;
}

// Detects gradient accumulation: the first gradients after a step are stored, the later ones are added to them, so the
// adding kernel is missing in one of every n segments.
bool adds_gradients(const std::vector<Presence>& presences, const Segments& segments, size_t every) {
  for (const Presence& presence : presences) {
    if (presence.size() * 2 < segments.size() || presence.size() == segments.size()) continue;
    if (every >= 3 && constant_distance(absence(presence, segments.size()), segments) == every) return true;
  }
  return false;
}

}  // namespace

void judge_longer_period(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols,
                         LaunchPeriod& period) {
  std::vector<EnqueueKind> kinds(symbols, EnqueueKind::kOther);
  bool graphs = false;
  for (const EnqueueWindow& window : windows)
    for (const Enqueue& one : window) kinds[one.symbol] = one.kind;
  const std::vector<Presence> where = presences(windows, segments, symbols);
  size_t present = 0;
  for (size_t symbol = 0; symbol < symbols; ++symbol) {
    present += !where[symbol].empty();
    graphs |= !where[symbol].empty() && kinds[symbol] == EnqueueKind::kGraph;
  }
  const Extra extra = largest_extra(where, kinds, segments);
  if (extra.symbols() == 0) return;
  const double share = static_cast<double>(extra.kernels) / static_cast<double>(present);
  const bool few = present - extra.symbols() < kFewSymbols && !graphs;
  if ((share >= kMinOptimizer && share <= kMaxOptimizer && !few) || adds_gradients(where, segments, extra.every))
    period.doubt = PeriodDoubt::kAccumulates;
  else if (few)
    period.doubt = PeriodDoubt::kRepeatsWithin;
  else if (extra.kernels != 0)
    period.doubt = PeriodDoubt::kEndsApart;
  else
    return;  // copies alone: a value that is read back now and then
  period.other_every = extra.every;
  if (period.doubt != PeriodDoubt::kEndsApart) period.each = extra.every;
}

}  // namespace syncsniff::timeline
