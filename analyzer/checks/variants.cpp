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
               std::to_string(event.place.column) + " " + event.callee_name + "\n";
  }
  return meaning;
}

}  // namespace

std::vector<facts::Place> bodies_that_differ(const std::vector<facts::UnitFacts>& units) {
  std::map<std::string, std::string> meanings;  // by place
  std::vector<facts::Place> bodies;
  for (const facts::UnitFacts& unit : units) {
    for (const facts::Function& function : unit.functions) {
      if (function.regions.empty()) continue;
      const std::string key =
          function.place.file + ":" + std::to_string(function.place.line) + ":" + std::to_string(function.place.column);
      const auto [known, fresh] = meanings.emplace(key, meaning_of(function));
      if (!fresh && known->second != meaning_of(function)) bodies.push_back(function.regions.front().whole);
    }
  }
  return bodies;
}

void leave_to_a_person(const std::vector<facts::Place>& bodies, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto holds = [&](const facts::Place& body) {
      return body.file == finding.location.file && body.line <= finding.location.line &&
             finding.location.line <= body.end_line;
    };
    if (finding.fix.edits.empty() || std::none_of(bodies.begin(), bodies.end(), holds)) continue;
    finding.fix.edits.clear();
    finding.fix.tier = FixTier::kSuggested;
  }
}

}  // namespace syncsniff::checks
