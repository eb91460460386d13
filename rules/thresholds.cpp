#include "rules/thresholds.h"

#include <algorithm>
#include <sstream>

namespace syncsniff {

const std::vector<ThresholdName>& threshold_names() {
  using Reader = ThresholdName::Reader;
  static const std::vector<ThresholdName> kNames{
      {"max_bytes", Reader::kCheck, "largest copy, in bytes, that counts as reading back a few values"},
      {"min_bytes", Reader::kCheck, "smallest copy, in bytes, that counts as large"},
      {"min_kernels", Reader::kCheck, "consecutive kernels of the program's own from which there is a finding"},
      {"min_launches", Reader::kCheck, "consecutive launches from which there is a finding"},
      {"min_launches_before_reduction", Reader::kCheck,
       "consecutive launches from which there is a finding, where a sum or a norm of the result follows"},
      {"sector_bytes", Reader::kCheck, "bytes that the GPU fetches from memory at once (a sector)"},
      {"size_multiple", Reader::kCheck, "matrix sizes that are multiples of this use the tensor cores"},
      {"staged_bytes", Reader::kCheck,
       "largest copy from pageable memory, in bytes, that the driver stages so that the call returns early"},
      {"warp_threads", Reader::kCheck, "threads of a warp"},
      {kMinLaunchesPerStep, Reader::kRun, "launches per step below which `run` calls the line cheap"},
      {kMinSharePct, Reader::kRun, "share of a step or of the run, in percent, below which `run` calls the line cheap"},
      {kMinWaitUs, Reader::kRun, "microseconds per step or per call below which `run` calls the line cheap"},
  };
  return kNames;
}

const ThresholdName* find_threshold(const std::string& name) {
  for (const ThresholdName& known : threshold_names())
    if (name == known.name) return &known;
  return nullptr;
}

UnreadThreshold unread_threshold(const std::map<std::string, double>& thresholds) {
  const bool measured = thresholds.count(kMinWaitUs) != 0 || thresholds.count(kMinLaunchesPerStep) != 0;
  for (const auto& [name, value] : thresholds)
    if (find_threshold(name) == nullptr) return {name, "no code reads it; rules/thresholds.cpp lists what is read"};
  // Tested last: if min_wait_us is misspelt, that name is the error, not the share that depends on it.
  if (thresholds.count(kMinSharePct) != 0 && !measured)
    return {kMinSharePct, "no code reads it without min_wait_us or min_launches_per_step: no run measures this rule"};
  return {};
}

std::string threshold_text(double value) {
  std::ostringstream text;
  text.precision(15);
  text << value;
  return text.str();
}

}  // namespace syncsniff
