#include "rules/baseline.h"

#include <algorithm>

namespace syncsniff {

void add_to_baseline(const Finding& finding, Baseline& baseline) {
  const auto add = [&](const std::string& fingerprint) {
    Severity& severity = baseline.try_emplace(fingerprint, finding.severity).first->second;
    severity = std::max(severity, finding.severity);
  };
  add(finding.fingerprint);
  for (const std::string& fingerprint : finding.call_fingerprints) add(fingerprint);
}

bool in_baseline(const Finding& finding, const Baseline& baseline) {
  const auto known = baseline.find(finding.fingerprint);
  return !finding.fingerprint.empty() && known != baseline.end() && finding.severity <= known->second;
}

}  // namespace syncsniff
