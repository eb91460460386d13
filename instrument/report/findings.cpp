#include "instrument/report/findings.h"

#include <map>
#include <stdexcept>
#include <tuple>

#include "rules/api_facts.h"
#include "rules/data_error.h"

namespace syncsniff::report {

StaticSide load_static_side(const std::vector<std::string>& findings_files) {
  StaticSide side;
  side.given = !findings_files.empty();
  std::map<std::tuple<std::string, std::string, unsigned, unsigned>, size_t> seen;  // rule and place
  for (const std::string& path : findings_files) {
    FindingsDocument document = read_findings_json(path);
    for (Finding& finding : document.findings) {
      const Location& at = finding.location;
      const auto [known, fresh] = seen.try_emplace({finding.rule, at.file, at.line, at.column}, side.findings.size());
      if (fresh)
        side.findings.push_back(std::move(finding));
      else if (side.findings[known->second].allowed && !finding.allowed)
        side.findings[known->second] = std::move(finding);
    }
    size_t unread = 0;
    for (const UnitStatus& unit : document.units) unread += unit.status == "failed" || unit.status == "partial";
    if (document.without_callee != 0)
      side.notes.push_back(path + ": " + std::to_string(document.without_callee) +
                           " findings do not say which call they are about; write the file again with this version's "
                           "`syncsniff check`");
    if (unread != 0)
      side.notes.push_back(path + ": " + std::to_string(unread) + " source units were not fully read by `check`");
  }
  try {
    side.rules = load_rules(data_directory() + "/rules/checks");
    if (side.given) side.apis = ApiTable::load(data_directory() + "/rules/apis");
  } catch (const std::exception& error) {
    side.notes.push_back(std::string("rule texts and thresholds are missing: ") + error.what() + kDataRemedy);
  }
  return side;
}

double threshold(const StaticSide& side, const std::string& rule, const std::string& name, double otherwise) {
  auto it = side.rules.find(rule);
  if (it == side.rules.end()) return otherwise;
  auto value = it->second.thresholds.find(name);
  return value == it->second.thresholds.end() ? otherwise : value->second;
}

}  // namespace syncsniff::report
