#include "analyzer/checks/variants.h"

#include <algorithm>
#include <map>
#include <string>

namespace syncsniff::checks {

namespace {

std::string meaning_of(const facts::Function& function) {
  std::string meaning;
  for (const facts::Event& event : function.events) {
    meaning += std::to_string(static_cast<int>(event.kind)) + "@" + std::to_string(event.place.line) + ":" +
               std::to_string(event.place.column) + " " + event.callee.name + "\n";
  }
  return meaning;
}

std::vector<facts::Place> bodies_that_differ(const std::vector<facts::UnitFacts>& units) {
  std::map<std::string, std::string> meanings;  // by place
  std::vector<facts::Place> bodies;
  for (const facts::UnitFacts& unit : units) {
    for (const facts::Function& function : unit.functions) {
      if (function.regions.empty()) continue;
      const std::string key =
          function.place.file + ":" + std::to_string(function.place.line) + ":" + std::to_string(function.place.column);
      std::string meaning = meaning_of(function);
      const auto known = meanings.find(key);
      if (known == meanings.end())
        meanings.emplace(key, std::move(meaning));
      else if (known->second != meaning)
        bodies.push_back(function.regions.front().whole);
    }
  }
  return bodies;
}

}  // namespace

void leave_variants_to_a_person(const std::vector<facts::UnitFacts>& units, std::vector<Finding>& findings) {
  const auto has_edits = [](const Finding& finding) { return !finding.fix.edits.empty(); };
  if (std::none_of(findings.begin(), findings.end(), has_edits)) return;  // in most runs no finding has an edit
  const std::vector<facts::Place> bodies = bodies_that_differ(units);
  for (Finding& finding : findings) {
    const auto holds = [&](const facts::Place& body) {
      return body.file == finding.location.file && body.line <= finding.location.line &&
             finding.location.line <= body.end_line;
    };
    if (!has_edits(finding) || std::none_of(bodies.begin(), bodies.end(), holds)) continue;
    finding.fix.edits.clear();
    finding.fix.tier = FixTier::kSuggested;
  }
}

}  // namespace syncsniff::checks
