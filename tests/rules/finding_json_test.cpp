// Findings through JSON and back, and what the reader says of documents that are wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rules/finding.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::error_of;
using test::Scratch;

Location place(unsigned line) { return {"train.cu", line, 5, line, 40}; }

Finding full_finding() {
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.level = 1;
  finding.severity = Severity::kMedium;
  finding.message = "waits for the device \"here\"";
  finding.location = place(12);
  finding.scope = place(10);
  finding.callee = "cudaDeviceSynchronize";
  finding.function = "train(int)";
  finding.hot_call = place(8);
  finding.hot_function = "main";
  finding.call_fingerprints = {"0123abcd", "4567"};
  finding.calls_left_out = 12;
  finding.path = {{place(3), "called here"}, {place(7), "in this loop"}};
  finding.evidence = {{place(1), "allocated here"}};
  finding.fix = {FixTier::kSafe, "delete it", {{"train.cu", 100, 24, ""}}};
  finding.fingerprint = "0123abcd";
  finding.allowed = true;
  finding.allowed_because = "the driver needs it";
  return finding;
}

void expect_same(const Location& a, const Location& b) {
  EXPECT_EQ(a.file, b.file);
  EXPECT_EQ(a.line, b.line);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.end_line, b.end_line);
  EXPECT_EQ(a.end_column, b.end_column);
}

void expect_same(const std::vector<PathStep>& a, const std::vector<PathStep>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    expect_same(a[i].location, b[i].location);
    EXPECT_EQ(a[i].message, b[i].message);
  }
}

TEST(FindingJson, RoundTrip) {
  FindingsDocument before;
  before.findings = {full_finding(), Finding{}};
  before.findings[1].rule = "redundant-sync";
  before.units = {{"train.cu", "analysed", ""}, {"other.cu", "failed", "no such header"}};
  Scratch scratch;
  const FindingsDocument after = read_findings_json(scratch.write("f.json", write_findings_json(before)));
  ASSERT_EQ(after.findings.size(), 2u);
  const Finding &a = before.findings[0], &b = after.findings[0];
  EXPECT_EQ(a.rule, b.rule);
  expect_same(a.hot_call, b.hot_call);
  EXPECT_EQ(a.hot_function, b.hot_function);
  EXPECT_EQ(a.call_fingerprints, b.call_fingerprints);
  EXPECT_EQ(a.calls_left_out, b.calls_left_out);
  EXPECT_EQ(a.level, b.level);
  EXPECT_EQ(a.severity, b.severity);
  EXPECT_EQ(a.message, b.message);
  expect_same(a.location, b.location);
  expect_same(a.scope, b.scope);
  EXPECT_EQ(a.callee, b.callee);
  EXPECT_EQ(a.function, b.function);
  expect_same(a.path, b.path);
  expect_same(a.evidence, b.evidence);
  EXPECT_EQ(a.fix.tier, b.fix.tier);
  EXPECT_EQ(a.fix.description, b.fix.description);
  ASSERT_EQ(b.fix.edits.size(), 1u);
  EXPECT_EQ(b.fix.edits[0].offset, 100u);
  EXPECT_EQ(b.fix.edits[0].length, 24u);
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  EXPECT_EQ(a.allowed, b.allowed);
  EXPECT_EQ(a.allowed_because, b.allowed_because);
  EXPECT_EQ(after.without_callee, 0u);
  EXPECT_EQ(after.findings[1].scope.line, 0u);
  EXPECT_FALSE(after.findings[1].allowed);
  ASSERT_EQ(after.units.size(), 2u);
  EXPECT_EQ(after.units[1].status, "failed");
  EXPECT_EQ(after.units[1].why, "no such header");
}

TEST(FindingJson, HasTheShapeThatOtherToolsRead) {
  FindingsDocument document;
  document.findings = {full_finding()};
  document.units = {{"train.cu", "analysed", ""}};
  const auto json = nlohmann::json::parse(write_findings_json(document));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["tool"]["name"], "syncsniff");
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["severity"], "medium");
  EXPECT_EQ(finding["callee"], "cudaDeviceSynchronize");
  EXPECT_EQ(finding["location"]["line"], 12);
  EXPECT_EQ(finding["location"]["endColumn"], 40);
  EXPECT_EQ(finding["path"][1]["location"]["line"], 7);
  EXPECT_EQ(finding["fix"]["tier"], "safe");
  EXPECT_EQ(finding["allowedBecause"], "the driver needs it");
  EXPECT_EQ(json["units"][0]["status"], "analysed");
}

TEST(FindingJson, TextThatIsNoUtf8IsReplaced) {
  FindingsDocument document;
  document.findings = {full_finding()};
  document.findings[0].message = "caf\xe9";
  EXPECT_EQ(nlohmann::json::parse(write_findings_json(document))["findings"][0]["message"], "caf\xef\xbf\xbd");
}

TEST(FindingJson, LeavesOutWhatOlderWritersDoNotSay) {
  Scratch scratch;
  const std::string file =
      scratch.write("f.json", R"({"findings": [{"rule": "r", "location": {"file": "a.cu", "line": 3}, "added": 1}]})");
  const FindingsDocument document = read_findings_json(file);
  ASSERT_EQ(document.findings.size(), 1u);
  EXPECT_EQ(document.findings[0].location.line, 3u);
  EXPECT_EQ(document.findings[0].callee, "");
  EXPECT_EQ(document.without_callee, 1u);
  EXPECT_TRUE(document.units.empty());
}

struct DocumentFault {
  const char* text;
  const char* message;
};

void PrintTo(const DocumentFault& fault, std::ostream* out) { *out << fault.text; }

constexpr const char* kRemedy = "; write it with `syncsniff check --format=json -o FILE`";
class FindingFaults : public testing::TestWithParam<DocumentFault> {};

TEST_P(FindingFaults, AreToldWithFileAndKey) {
  Scratch scratch;
  const std::string file = scratch.write("f.json", GetParam().text);
  EXPECT_EQ(error_of(scratch.path(), [&] { read_findings_json(file); }), GetParam().message + std::string(kRemedy));
}

INSTANTIATE_TEST_SUITE_P(
    All, FindingFaults,
    testing::Values(
        DocumentFault{"[]", "f.json: the document must be an object"},
        DocumentFault{"{}", "f.json: findings is missing"},
        DocumentFault{R"({"findings": {}})", "f.json: findings must be a list"},
        DocumentFault{R"({"findings": [{"location": {"file": "a", "line": 1}}]})",
                      "f.json: findings[0].rule is missing"},
        DocumentFault{R"({"findings": [{"rule": "r"}]})", "f.json: findings[0].location is missing"},
        DocumentFault{R"({"findings": [{"rule": "r", "location": {"file": "a", "line": -1}}]})",
                      "f.json: findings[0].location.line must be a whole number"},
        DocumentFault{R"({"findings": [{"rule": "r", "location": {"file": "a", "line": 1}, "severity": "dire"}]})",
                      "f.json: findings[0].severity 'dire' is not a severity"},
        DocumentFault{R"({"findings": [{"rule": "r", "location": {"file": "a", "line": 1}, "fix": {"tier": "bold"}}]})",
                      "f.json: findings[0].fix.tier 'bold' is not a fix tier"},
        DocumentFault{R"({"findings": [{"rule": "r", "location": {"file": "a", "line": 1}, "path": [{}]}]})",
                      "f.json: findings[0].path[0].location is missing"},
        DocumentFault{R"({"findings": [{"rule": "r", "location": {"file": "a", "line": 1}, "allowed": 1}]})",
                      "f.json: findings[0].allowed must be true or false"},
        DocumentFault{R"({"findings": [], "units": [{"file": "a"}]})", "f.json: units[0].status is missing"},
        DocumentFault{R"({"version": 2, "findings": []})", "f.json: version is newer than this syncsniff reads (1)"}));

TEST(FindingJson, AFileThatIsNoJsonOrNotThere) {
  Scratch scratch;
  EXPECT_EQ(error_of(scratch.path(), [&] { read_findings_json(scratch.path() + "/none.json"); }),
            std::string("none.json: No such file or directory") + kRemedy);
  const std::string file = scratch.write("f.json", "{\"findings\": [");
  EXPECT_EQ(error_of(scratch.path(), [&] { read_findings_json(file); }),
            std::string("f.json: is not whole: the JSON ends too early") + kRemedy);
  scratch.write("f.json", "{\n\"findings\": oops}");
  EXPECT_EQ(error_of(scratch.path(), [&] { read_findings_json(file); }),
            std::string("f.json: is not JSON: wrong at line 2") + kRemedy);
}

TEST(FindingWords, BothWays) {
  EXPECT_EQ(severity_from_string(to_string(Severity::kLow)), Severity::kLow);
  EXPECT_EQ(fix_tier_from_string(to_string(FixTier::kProved)), FixTier::kProved);
  EXPECT_THROW(severity_from_string("HIGH"), std::invalid_argument);
}

}  // namespace
}  // namespace syncsniff
