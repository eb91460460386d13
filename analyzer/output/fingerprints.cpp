#include "analyzer/output/fingerprints.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace syncsniff::output {

namespace {

struct Identity {
  std::string fingerprint;
  std::vector<std::string> calls;
};

void renumber(std::vector<Finding*>& copies) {
  std::ranges::sort(copies, {}, &Finding::copy);
  std::vector<Identity> identities;
  for (Finding* finding : copies)
    identities.push_back({std::move(finding->fingerprint), std::move(finding->call_fingerprints)});
  std::ranges::stable_partition(copies, [](const Finding* finding) { return !finding->allowed; });
  for (size_t i = 0; i < copies.size(); ++i) {
    copies[i]->fingerprint = std::move(identities[i].fingerprint);
    copies[i]->call_fingerprints = std::move(identities[i].calls);
    copies[i]->copy = i;
  }
}

}  // namespace

void number_allowed_last(std::vector<Finding>& findings) {
  std::map<std::string, std::vector<Finding*>> by_text;
  for (Finding& finding : findings)
    if (!finding.same_text.empty()) by_text[finding.same_text].push_back(&finding);
  for (auto& [text, copies] : by_text)
    if (std::ranges::any_of(copies, &Finding::allowed)) renumber(copies);
}

}  // namespace syncsniff::output
