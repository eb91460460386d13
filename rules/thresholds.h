// The names that rules' thresholds may have, what each number means, and which half reads it. The numbers themselves
// are only in rules/checks/*.yaml; a name that is not listed here is an error in the table.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace syncsniff {

struct ThresholdName {
  enum class Reader { kCheck, kRun };
  const char* name;
  Reader reader;
  const char* meaning;  // a phrase without a full stop
};

// Thresholds that `run` reads. A rule with neither kMinWaitUs nor kMinLaunchesPerStep is not measured by `run`.
inline constexpr const char* kMinWaitUs = "min_wait_us";
inline constexpr const char* kMinSharePct = "min_share_pct";
inline constexpr const char* kMinLaunchesPerStep = "min_launches_per_step";

const std::vector<ThresholdName>& threshold_names();
// nullptr: there is no such name.
const ThresholdName* find_threshold(const std::string& name);

// The first of one rule's thresholds that nothing reads, and why. Empty: all are read.
struct UnreadThreshold {
  std::string name, why;
};
UnreadThreshold unread_threshold(const std::map<std::string, double>& thresholds);

// The number as the tables write it: 1048576, 2.5.
std::string threshold_text(double value);

}  // namespace syncsniff
