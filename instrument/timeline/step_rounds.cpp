#include "instrument/timeline/step_rounds.h"

#include <algorithm>

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr double kMostlyRegular = 0.5;
constexpr size_t kLeastEach = 2;
constexpr double kSameSize = 0.75;  // least share of the rounds that have the usual number of steps
constexpr double kPause = 0.5;      // least length of what parts two rounds, in usual ones

struct Round {
  uint64_t begin = 0;
  uint64_t after_ns = 0;  // length of the step before it, with the pause in it
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

uint64_t usual_pause(const std::vector<Round>& rounds) {
  std::vector<uint64_t> pauses;
  for (size_t i = 1; i < rounds.size(); ++i) pauses.push_back(rounds[i].after_ns);
  return median(std::move(pauses));
}

// A step that is far longer than the others by chance (the process was off the processor, a kernel was loaded) parts
// its round in two. Neighbours are one round if together they have just as many steps as a usual one. They are also one
// if they have fewer, as at the end of a run, and no such pause between them as rounds usually have.
std::vector<Round> joined(const std::vector<Round>& rounds, size_t usual) {
  const double pause = kPause * static_cast<double>(usual_pause(rounds));
  std::vector<Round> whole;
  for (const Round& round : rounds) {
    const size_t together = whole.empty() ? usual + 1 : whole.back().steps + round.steps;
    if (together == usual || (together < usual && static_cast<double>(round.after_ns) < pause))
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
    if (i == 0 || is_far_longer({begins[i - 1], begins[i]}, steps.median_ns))
      rounds.push_back({begins[i], i == 0 ? 0 : begins[i] - begins[i - 1], 0});
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
