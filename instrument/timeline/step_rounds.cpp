#include "instrument/timeline/step_rounds.h"

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr double kMostlyRegular = 0.5;
constexpr size_t kLeastEach = 2;

}  // namespace

std::optional<StepRounds> find_rounds(const std::vector<uint64_t>& begins, const Steps& steps) {
  // Long steps that launch no more than the others (`uneven`) wait for a loader that delivers several batches at once.
  if (!steps.found() || steps.uneven != 0 || begins.size() < 2) return std::nullopt;
  const auto span = static_cast<double>(begins.back() - begins.front());
  if (static_cast<double>(steps.regular_ns()) >= kMostlyRegular * span) return std::nullopt;
  StepRounds rounds;
  std::vector<size_t> each;
  for (size_t i = 0; i < begins.size(); ++i) {
    if (i != 0 && !is_far_longer({begins[i - 1], begins[i]}, steps.median_ns)) {
      ++each.back();
      continue;
    }
    rounds.begins.push_back(begins[i]);
    each.push_back(1);
  }
  each.pop_back();  // the run may have ended within the last one
  if (each.size() < kMinSteps) return std::nullopt;
  rounds.each = median(std::move(each));
  if (rounds.each < kLeastEach) return std::nullopt;
  return rounds;
}

}  // namespace syncsniff::timeline
