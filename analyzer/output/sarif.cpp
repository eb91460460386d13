#include "analyzer/output/sarif.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/output/hot_calls.h"
#include "analyzer/output/sarif_places.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::kHigh:
      return "error";
    case Severity::kMedium:
      return "warning";
    default:
      return "note";
  }
}

// A rule's level says how few false alarms it promises (docs/rules); code scanning calls that precision.
const char* precision_of(int level) { return level == 0 ? "very-high" : level == 1 ? "high" : "medium"; }

Json text(const std::string& words) { return Json{{"text", words}}; }

std::string code_block(const std::string& title, const std::string& code) {
  return "\n\n```cpp\n// " + title + "\n" + code + (code.ends_with('\n') ? "" : "\n") + "```";
}

Json descriptor(const Rule& rule) {
  std::string plain = rule.summary, marked = rule.summary;
  if (!rule.why.empty()) plain += "\n\n" + rule.why, marked += "\n\n" + rule.why;
  if (!rule.fix.empty()) plain += "\n\nFix: " + rule.fix, marked += "\n\n**Fix:** " + rule.fix;
  if (!rule.bad.empty()) marked += code_block("bad", rule.bad);
  if (!rule.good.empty()) marked += code_block("good", rule.good);
  Json json;
  json["id"] = rule.id;
  json["shortDescription"] = text(rule.summary.empty() ? rule.id : rule.summary);
  json["fullDescription"] = text(rule.why.empty() ? (rule.summary.empty() ? rule.id : rule.summary) : rule.why);
  json["help"] = {{"text", plain.empty() ? rule.id : plain}, {"markdown", marked.empty() ? rule.id : marked}};
  json["defaultConfiguration"] = {{"level", rule.level == 0   ? "error"
                                            : rule.level == 1 ? "warning"
                                                              : "note"},
                                  {"enabled", rule.level <= 1}};
  json["properties"] = {{"precision", precision_of(rule.level)}, {"docs", "docs/rules/" + rule.id + ".md"}};
  if (!rule.group.empty()) json["properties"]["tags"] = Json::array({"performance", rule.group});
  return json;
}

class SarifWriter {
 public:
  SarifWriter(const FindingsDocument& document, const std::map<std::string, Rule>& rules, const Baseline* baseline,
              SourceCache& sources, size_t left_out)
      : document_(document), rules_(rules), baseline_(baseline), sources_(sources), left_out_(left_out) {}

  Json log() {
    Json run;
    run["tool"]["driver"] = driver();
    run["invocations"] = Json::array({invocation()});
    std::string root = sources_.absolute(".");
    run["originalUriBaseIds"]["SRCROOT"]["uri"] =
        "file://" + encode_path(root) + (root.empty() || root.back() != '/' ? "/" : "");
    run["columnKind"] = "utf16CodeUnits";
    run["results"] = Json::array();
    for (const Finding& finding : document_.findings) run["results"].push_back(result(finding));
    Json log;
    log["$schema"] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    log["version"] = "2.1.0";
    log["runs"] = Json::array({std::move(run)});
    return log;
  }

 private:
  Json driver() {
    Json driver;
    driver["name"] = "syncsniff";
    driver["version"] = SYNCSNIFF_VERSION;
    driver["semanticVersion"] = SYNCSNIFF_VERSION;
    driver["rules"] = Json::array();
    auto add = [&](const Rule& rule) {
      index_[rule.id] = driver["rules"].size();
      driver["rules"].push_back(descriptor(rule));
    };
    for (const auto& [id, rule] : rules_) add(rule);
    for (const Finding& finding : document_.findings) {
      if (index_.count(finding.rule)) continue;  // a rule without YAML still gets an entry that results can refer to
      Rule bare;
      bare.id = finding.rule;
      bare.level = finding.level;
      add(bare);
    }
    return driver;
  }

  Json invocation() {
    Tally tally = count(document_, baseline_ ? *baseline_ : Baseline{}, std::nullopt);
    Json json;
    json["executionSuccessful"] = !nothing_analysed(tally);
    Json notes = Json::array();
    for (const UnitStatus& unit : document_.units) {
      if (unit.status == "analysed") continue;
      bool partial = unit.status == "partial";
      Json note;
      note["level"] = partial ? "warning" : "error";
      note["message"] = text((partial ? "only partly analysed: " : "not analysed: ") + unit.why);
      Json place;
      place["physicalLocation"]["artifactLocation"] = artifact_location(unit.file, sources_);
      note["locations"] = Json::array({std::move(place)});
      notes.push_back(std::move(note));
    }
    if (left_out_ > 0)
      notes.push_back(
          {{"level", "warning"},
           {"message", text(std::to_string(left_out_) + " less severe findings are left out: a run has at most " +
                            std::to_string(kMostSarifResults))}});
    json["toolExecutionNotifications"] = std::move(notes);
    return json;
  }

  Json location(const Location& at, const std::string& message) {
    Json json;
    json["physicalLocation"] = physical_location(at, sources_);
    if (!message.empty()) json["message"] = text(message);
    return json;
  }

  Json result(const Finding& finding) {
    Json json;
    json["ruleId"] = finding.rule;
    json["ruleIndex"] = index_.at(finding.rule);
    json["level"] = level_of(finding.severity);
    json["message"] = text(finding.message + and_by_more_calls(finding.calls_left_out));
    Json main = location(finding.location, "");
    if (!finding.function.empty())
      main["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.function}, {"kind", "function"}}});
    json["locations"] = Json::array({std::move(main)});
    if (!finding.path.empty()) json["codeFlows"] = Json::array({code_flow(finding)});
    if (!finding.evidence.empty()) json["relatedLocations"] = related(finding);
    if (!finding.fingerprint.empty()) json["partialFingerprints"] = {{"syncsniff/v1", finding.fingerprint}};
    if (finding.allowed) json["suppressions"] = Json::array({suppression(finding)});
    if (baseline_) json["baselineState"] = in_baseline(finding, *baseline_) ? "unchanged" : "new";
    Json changes = artifact_changes(finding);
    if (!changes.empty()) {
      Json fix;
      if (!finding.fix.description.empty()) fix["description"] = text(finding.fix.description);
      fix["artifactChanges"] = std::move(changes);
      json["fixes"] = Json::array({std::move(fix)});
    }
    json["properties"] = {{"severity", to_string(finding.severity)}, {"level", finding.level}};
    if (finding.fix.tier != FixTier::kNone)
      json["properties"]["fix"] = {{"tier", to_string(finding.fix.tier)}, {"description", finding.fix.description}};
    return json;
  }

  // From the hot loop to the call; the call itself is the last step, whether or not the path contains it.
  Json code_flow(const Finding& finding) {
    Json steps = Json::array();
    for (const PathStep& step : finding.path) steps.push_back({{"location", location(step.location, step.message)}});
    const Location& last = finding.path.back().location;
    bool ends_there = last.file == finding.location.file && last.line == finding.location.line;
    if (!ends_there) steps.push_back({{"location", location(finding.location, finding.message)}});
    Json flow;
    flow["threadFlows"] = Json::array({{{"locations", std::move(steps)}}});
    return flow;
  }

  Json related(const Finding& finding) {
    Json places = Json::array();
    for (const PathStep& step : finding.evidence) {
      Json place;
      place["id"] = places.size() + 1;
      place.update(location(step.location, step.message));
      places.push_back(std::move(place));
    }
    return places;
  }

  static Json suppression(const Finding& finding) {
    Json json;
    json["kind"] = "inSource";
    json["status"] = "accepted";
    if (!finding.allowed_because.empty()) json["justification"] = finding.allowed_because;
    return json;
  }

  // One entry per file. Empty if any edit does not fit its file, since half a fix is useless.
  Json artifact_changes(const Finding& finding) {
    std::map<std::string, Json> by_file;
    for (const Edit& edit : finding.fix.edits) {
      const SourceText* source = sources_.get(edit.file);
      auto range = source ? byte_region(*source, edit.offset, edit.length) : std::nullopt;
      if (!range) return Json::array();
      Json replacement;
      replacement["deletedRegion"] = std::move(*range);
      if (!edit.replacement.empty()) replacement["insertedContent"] = text(edit.replacement);
      by_file.try_emplace(edit.file, Json::array()).first->second.push_back(std::move(replacement));
    }
    Json changes = Json::array();
    for (auto& [file, replacements] : by_file) {
      Json change;
      change["artifactLocation"] = artifact_location(file, sources_);
      change["replacements"] = std::move(replacements);
      changes.push_back(std::move(change));
    }
    return changes;
  }

  const FindingsDocument& document_;
  const std::map<std::string, Rule>& rules_;
  const Baseline* baseline_;
  SourceCache& sources_;
  size_t left_out_;  // number of findings
  std::map<std::string, size_t> index_;
};

// Keeps the `most` findings to show: those that count first, then the most severe. Their order stays. Returns the
// number of findings removed.
size_t keep_most_severe(std::vector<Finding>& findings, const Baseline& known, size_t most) {
  if (findings.size() <= most) return 0;
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto rank = [&](size_t i) {
    const Finding& finding = findings[i];
    return std::pair(!finding.allowed && !in_baseline(finding, known), finding.severity);
  };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) > rank(b); });
  const std::set<size_t> dropped(order.begin() + static_cast<std::ptrdiff_t>(most), order.end());
  size_t i = 0;
  std::erase_if(findings, [&](const Finding&) { return dropped.count(i++) != 0; });
  return dropped.size();
}

}  // namespace

std::string write_sarif(const FindingsDocument& document, const std::map<std::string, Rule>& rules,
                        const Baseline* baseline, SourceCache& sources) {
  const Baseline known = baseline ? *baseline : Baseline{};
  FindingsDocument kept = keep_hottest_calls(document, known, kMostSarifCalls);
  const size_t left_out = keep_most_severe(kept.findings, known, kMostSarifResults);
  const Json log = SarifWriter(kept, rules, baseline, sources, left_out).log();
  return guard_json(log.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace syncsniff::output
