#include "instrument/timeline/step_rounds.h"

#include <algorithm>

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr double kMostlyRegular = 0.5;
constexpr size_t kLeastEach = 2;
constexpr double kSameSize = 0.75;  // least share of the rounds that have the usual number of steps

struct Round {
  uint64_t begin = 0;
  size_t steps = 0;
};

size_t usual_size(const std::vector<Round>& rounds) {
  std::vector<size_t> sizes;
  for (const Round& round : rounds) sizes.push_back(round.steps);
  sizes.pop_back();  // the run may have ended within the last round
  return median(std::move(sizes));
}

bool have_one_size(const std::vector<Round>& rounds, size_t usual) {
  const auto same =
      std::count_if(rounds.begin(), rounds.end(), [&](const Round& round) { return round.steps == usual; });
  return static_cast<double>(same) >= kSameSize * static_cast<double>(rounds.size());
}

// A step that is far longer than the others by chance (the process was off the processor, a kernel was loaded) parts
// its round in two. Neighbours that have no more steps together than a usual round has are one.
std::vector<Round> joined(const std::vector<Round>& rounds, size_t usual) {
  std::vector<Round> whole;
  for (const Round& round : rounds) {
    if (!whole.empty() && whole.back().steps + round.steps <= usual)
      whole.back().steps += round.steps;
    else
      whole.push_back(round);
  }
  return whole;
}

}  // namespace

std::optional<StepRounds> find_rounds(const std::vector<uint64_t>& begins, const Steps& steps) {
  // Long steps that launch no more than the others (`uneven`) wait for a loader that delivers several batches at once.
  if (!steps.found() || steps.uneven != 0 || begins.size() < 2) return std::nullopt;
  const auto span = static_cast<double>(begins.back() - begins.front());
  if (static_cast<double>(steps.regular_ns()) >= kMostlyRegular * span) return std::nullopt;
  std::vector<Round> rounds;
  for (size_t i = 0; i < begins.size(); ++i) {
    if (i == 0 || is_far_longer({begins[i - 1], begins[i]}, steps.median_ns)) rounds.push_back({begins[i], 0});
    ++rounds.back().steps;
  }
  if (rounds.size() <= kMinSteps) return std::nullopt;
  const size_t usual = usual_size(rounds);
  if (usual < kLeastEach) return std::nullopt;
  if (have_one_size(rounds, usual)) rounds = joined(rounds, usual);
  if (rounds.size() <= kMinSteps) return std::nullopt;
  StepRounds result;
  result.each = usual;
  for (const Round& round : rounds) result.begins.push_back(round.begin);
  return result;
}

}  // namespace syncsniff::timeline
