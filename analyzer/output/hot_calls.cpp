#include "analyzer/output/hot_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace syncsniff::output {
namespace {

using Indices = std::vector<size_t>;

void add_fingerprints(const Finding& finding, std::set<std::string>& to) {
  if (!finding.fingerprint.empty()) to.insert(finding.fingerprint);
  to.insert(finding.call_fingerprints.begin(), finding.call_fingerprints.end());
}

}  // namespace

Place place_of(const Finding& finding) { return {finding.rule, finding.location.file, finding.location.line}; }

FindingsDocument keep_hottest_calls(const FindingsDocument& document, const Baseline& baseline, size_t most) {
  const std::vector<Finding>& all = document.findings;
  std::map<std::pair<Place, bool>, Indices> places;  // the hottest of a place stands first, as the analysis sorts them
  for (size_t i = 0; i < all.size(); ++i) places[{place_of(all[i]), all[i].allowed}].push_back(i);

  std::vector<bool> is_left_out(all.size());
  std::map<size_t, Indices> left_out;  // by the last one kept of their place
  for (auto& [place, calls] : places) {
    if (calls.size() <= most) continue;
    std::stable_partition(calls.begin(), calls.end(), [&](size_t i) { return !in_baseline(all[i], baseline); });
    const auto end = calls.begin() + static_cast<std::ptrdiff_t>(most);
    left_out[*std::max_element(calls.begin(), end)].assign(end, calls.end());
    for (auto i = end; i != calls.end(); ++i) is_left_out[*i] = true;
  }

  FindingsDocument kept = document;
  kept.findings.clear();
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_left_out[i]) continue;
    Finding& finding = kept.findings.emplace_back(all[i]);
    const auto rest = left_out.find(i);
    if (rest == left_out.end()) continue;
    finding.calls_left_out += rest->second.size();
    std::set<std::string> known(finding.call_fingerprints.begin(), finding.call_fingerprints.end());
    for (const size_t other : rest->second) add_fingerprints(all[other], known);
    finding.call_fingerprints.assign(known.begin(), known.end());
  }
  return kept;
}

std::string and_by_more_calls(size_t calls) {
  return calls == 0 ? "" : " (and by " + plural(static_cast<unsigned>(calls), "more call") + ")";
}

}  // namespace syncsniff::output
