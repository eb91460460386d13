#include "instrument/timeline/anchor.h"

#include <algorithm>
#include <map>

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kMinAnchorSegments = 3;
constexpr size_t kWarmUp = 2;            // first segments load code lazily: not judged if there are many segments
constexpr uint64_t kRegular = 3;         // medians; longer segments are irregular
constexpr uint64_t kLongest = 100;       // medians; cap of one segment's length, since a validation may take any time
constexpr double kMinCoverage = 0.6;     // least share of the time in regular segments
constexpr double kInnerCoverage = 0.85;  // the same for a call that follows itself, since an inner loop looks like that
constexpr double kNearBestExplained = 0.6;  // least explained calls, relative to the best candidate
constexpr double kSameSteps = 0.02;         // candidates whose counts differ by less find the same steps

struct Candidate {
  Anchor anchor;
  bool follows_itself = false;  // consecutive occurrences of the symbol count separately
  size_t irregular = 0;
};

uint64_t launches_in(const std::vector<TimedCount>& launches, uint64_t begin, uint64_t end) {
  auto it = std::lower_bound(launches.begin(), launches.end(), begin,
                             [](const TimedCount& item, uint64_t time) { return item.time_ns < time; });
  uint64_t sum = 0;
  for (; it != launches.end() && it->time_ns < end; ++it) sum += it->count;
  return sum;
}

// Judges how well the segments between the indices `at` explain the sequence; nullopt if they are not alike enough.
std::optional<Candidate> judge(const std::vector<TimedSymbol>& sequence, const std::vector<size_t>& at,
                               const std::vector<TimedCount>& launches, bool follows_itself) {
  if (at.size() < kMinAnchorSegments + 1) return std::nullopt;
  std::vector<uint64_t> lengths;
  for (size_t i = 0; i + 1 < at.size(); ++i) lengths.push_back(sequence[at[i + 1]].time_ns - sequence[at[i]].time_ns);
  const uint64_t median = std::max<uint64_t>(1, timeline::median(lengths));
  const size_t first = lengths.size() >= 3 * kWarmUp ? kWarmUp : 0;
  Candidate candidate;
  candidate.follows_itself = follows_itself;
  Anchor& anchor = candidate.anchor;
  anchor.symbol = sequence[at[0]].symbol;
  uint64_t time = 0, regular_time = 0, enqueued = 0, regular_enqueued = 0;
  size_t alike = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const bool regular = lengths[i] <= kRegular * median;
    if (regular)
      anchor.explained += at[i + 1] - at[i];
    else
      ++candidate.irregular;
    if (i < first) continue;
    const uint64_t weight = std::min(lengths[i], kLongest * median);
    time += weight;
    if (regular) regular_time += weight;
    if (follows_itself) {
      const uint64_t count = launches_in(launches, sequence[at[i]].time_ns, sequence[at[i + 1]].time_ns);
      enqueued += count;
      if (regular) regular_enqueued += count;
    }
    alike += lengths[i] * 2 >= median && lengths[i] <= 2 * median;
  }
  anchor.coverage = static_cast<double>(regular_time) / static_cast<double>(std::max<uint64_t>(1, time));
  anchor.regularity = static_cast<double>(alike) / static_cast<double>(lengths.size() - first);
  if (anchor.coverage < (follows_itself ? kInnerCoverage : kMinCoverage)) return std::nullopt;
  if (static_cast<double>(regular_enqueued) < kInnerCoverage * static_cast<double>(enqueued)) return std::nullopt;
  for (size_t index : at) anchor.begins.push_back(sequence[index].time_ns);
  return candidate;
}

std::vector<Candidate> candidates_of(const std::vector<TimedSymbol>& sequence,
                                     const std::vector<TimedCount>& launches) {
  std::map<uint32_t, std::vector<size_t>> all, folded;  // folded: only the first of consecutive occurrences
  for (size_t i = 0; i < sequence.size(); ++i) {
    all[sequence[i].symbol].push_back(i);
    if (i == 0 || sequence[i - 1].symbol != sequence[i].symbol) folded[sequence[i].symbol].push_back(i);
  }
  std::vector<Candidate> candidates;
  for (const auto& [symbol, at] : folded) {
    if (auto candidate = judge(sequence, at, launches, false)) candidates.push_back(std::move(*candidate));
    if (all[symbol].size() == at.size()) continue;
    if (auto candidate = judge(sequence, all[symbol], launches, true)) candidates.push_back(std::move(*candidate));
  }
  return candidates;
}

}  // namespace

std::optional<Anchor> find_anchor(const std::vector<TimedSymbol>& sequence, const std::vector<TimedCount>& launches) {
  std::vector<Candidate> candidates = candidates_of(sequence, launches);
  size_t most = 0, finest = 0;
  for (const Candidate& candidate : candidates) most = std::max(most, candidate.anchor.explained);
  auto weighs = [&](const Candidate& candidate) {
    return static_cast<double>(candidate.anchor.explained) >= kNearBestExplained * static_cast<double>(most);
  };
  for (const Candidate& candidate : candidates)
    if (weighs(candidate)) finest = std::max(finest, candidate.anchor.begins.size());
  auto cuts_finest = [&](const Candidate& candidate) {
    const double number = static_cast<double>(candidate.anchor.begins.size());
    return weighs(candidate) && number >= (1 - kSameSteps) * static_cast<double>(finest) - 1;
  };
  size_t fewest = SIZE_MAX;
  for (const Candidate& candidate : candidates)
    if (cuts_finest(candidate)) fewest = std::min(fewest, candidate.irregular);
  const auto odd_allowed = fewest + std::max<size_t>(2, static_cast<size_t>(kSameSteps * static_cast<double>(finest)));
  // Of the lines that occur once a step, with few irregular gaps, takes the one that occurs first: it begins the loop.
  const Candidate* chosen = nullptr;
  for (const Candidate& candidate : candidates)
    if (cuts_finest(candidate) && candidate.irregular <= odd_allowed &&
        (chosen == nullptr || candidate.anchor.begins[0] < chosen->anchor.begins[0]))
      chosen = &candidate;
  if (chosen == nullptr) return std::nullopt;
  return chosen->anchor;
}

}  // namespace syncsniff::timeline
