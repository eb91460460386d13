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

FindingsDocument keep_hottest_calls(FindingsDocument document, const Baseline& baseline, size_t most) {
  std::vector<Finding>& all = document.findings;
  // The hottest finding of a place is first, since the analysis sorts them so.
  std::map<std::pair<Place, bool>, Indices> places;
  for (size_t i = 0; i < all.size(); ++i) places[{place_of(all[i]), all[i].allowed}].push_back(i);

  std::vector<bool> is_left_out(all.size());
  for (auto& [place, calls] : places) {
    if (calls.size() <= most) continue;
    std::stable_partition(calls.begin(), calls.end(), [&](size_t i) { return !in_baseline(all[i], baseline); });
    const auto end = calls.begin() + static_cast<std::ptrdiff_t>(most);
    Finding& last = all[*std::max_element(calls.begin(), end)];
    last.calls_left_out += calls.size() - most;
    std::set<std::string> known(last.call_fingerprints.begin(), last.call_fingerprints.end());
    for (auto i = end; i != calls.end(); ++i) {
      is_left_out[*i] = true;
      add_fingerprints(all[*i], known);
    }
    last.call_fingerprints.assign(known.begin(), known.end());
  }
  size_t i = 0;
  std::erase_if(all, [&](const Finding&) { return is_left_out[i++]; });
  return document;
}

std::vector<Finding> counted_places(const FindingsDocument& document, const Baseline& baseline) {
  FindingsDocument counted;
  for (const Finding& finding : document.findings)
    if (!finding.allowed && !in_baseline(finding, baseline)) counted.findings.push_back(finding);
  return keep_hottest_calls(std::move(counted), baseline, 1).findings;
}

std::string and_by_more_calls(size_t calls) {
  return calls == 0 ? "" : " (and by " + plural(static_cast<unsigned>(calls), "more call") + ")";
}

}  // namespace syncsniff::output
