#include "analyzer/output/summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/output/hot_calls.h"

namespace syncsniff::output {
namespace {

// Whether no unit was read completely, and nothing was found in what was read: that does not count as clean.
bool only_partly_analysed(const Tally& tally) {
  return tally.analysed == 0 && tally.partial > 0 && tally.findings + tally.in_baseline + tally.allowed == 0;
}

}  // namespace

std::string plural(unsigned count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Tally count(const FindingsDocument& document, const Baseline& baseline, std::optional<Severity> fail_level) {
  Tally tally;
  std::map<Place, Severity> counted;  // with the highest severity of its hot calls
  std::set<Place> allowed, known;
  std::set<std::string> files;
  for (const Finding& finding : document.findings) {
    if (finding.allowed) {
      allowed.insert(place_of(finding));
    } else if (in_baseline(finding, baseline)) {
      known.insert(place_of(finding));
    } else {
      ++tally.hot_calls;
      Severity& severity = counted.try_emplace(place_of(finding), finding.severity).first->second;
      severity = std::max(severity, finding.severity);
      files.insert(finding.location.file);
    }
  }
  for (const auto& [place, severity] : counted) {
    ++tally.by_severity[static_cast<size_t>(severity)];
    if (fail_level && severity >= *fail_level) ++tally.failing;
  }
  tally.findings = static_cast<unsigned>(counted.size());
  tally.allowed = static_cast<unsigned>(allowed.size());
  tally.in_baseline = static_cast<unsigned>(known.size());
  tally.files = static_cast<unsigned>(files.size());
  for (const UnitStatus& unit : document.units) {
    if (unit.status == "analysed")
      ++tally.analysed;
    else if (unit.status == "partial")
      ++tally.partial;
    else
      ++tally.failed;  // an unknown status must not count as clean
  }
  tally.rules_left_out = static_cast<unsigned>(document.rules_left_out.size());
  tally.no_database = document.no_database;
  return tally;
}

std::string summary_line(const Tally& tally) {
  std::string line = "no findings";
  if (tally.findings > 0) {
    line = plural(tally.findings, "finding");
    if (tally.hot_calls > tally.findings) line += " (" + plural(tally.hot_calls, "hot call") + ")";
    line += " in " + plural(tally.files, "file");
  }
  std::string severities;
  for (int i = 3; i >= 0; --i)
    if (unsigned number = tally.by_severity[static_cast<size_t>(i)])
      severities +=
          (severities.empty() ? "" : ", ") + std::to_string(number) + " " + to_string(static_cast<Severity>(i));
  if (!severities.empty()) line += " (" + severities + ")";
  if (tally.allowed) line += ", " + std::to_string(tally.allowed) + " allowed";
  if (tally.in_baseline) line += ", " + std::to_string(tally.in_baseline) + " in the baseline";
  line += "; " + plural(tally.analysed, "unit") + " analysed";
  if (tally.partial) line += ", " + std::to_string(tally.partial) + " partial";
  if (tally.failed) line += ", " + std::to_string(tally.failed) + " failed";
  if (tally.rules_left_out) line += ", " + plural(tally.rules_left_out, "rule") + " left out";
  if (tally.partial || tally.failed || tally.rules_left_out) line += ": not all of the program was checked";
  return line;
}

bool nothing_analysed(const Tally& tally) { return tally.analysed + tally.partial == 0; }

bool report_nothing_analysed(const Tally& tally, bool accept_partial, std::ostream& err) {
  const char* const begin = "syncsniff: error: nothing could be analysed: ";
  if (nothing_analysed(tally) && tally.failed == 0)
    err << begin << "no unit to read; give files, or a compile database with -p\n";
  else if (nothing_analysed(tally))
    err << begin << plural(tally.failed, "unit") << " failed; the warnings say why\n";
  else if (only_partly_analysed(tally) && tally.no_database)
    err << "syncsniff: error: no unit could be read whole without a compile database: " << plural(tally.partial, "unit")
        << " partial; make compile_commands.json with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` or `bear -- make -B`, "
           "or "
           "give compiler options with --extra-arg\n";
  else if (only_partly_analysed(tally) && !accept_partial)
    err << "syncsniff: error: no unit could be read whole: " << plural(tally.partial, "unit")
        << " partial; fix what the warnings name (often a compile database, -p), or give --accept-partial\n";
  else
    return false;
  return true;
}

int exit_code(const Tally& tally) { return tally.failing > 0 ? 1 : 0; }

}  // namespace syncsniff::output
