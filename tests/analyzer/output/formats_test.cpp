// Every output format over one document, compared whole.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analyzer/output/github.h"
#include "analyzer/output/sarif.h"
#include "analyzer/output/text.h"
#include "rules/rule.h"
#include "tests/analyzer/output/sample_document.h"

namespace syncsniff::output {
namespace {

std::map<std::string, Rule> sample_rules() {
  return load_rules(std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/analyzer/output/data/rules/checks");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// SRCROOT names a folder of this machine, and versions grow.
std::string sarif_of(const FindingsDocument& document, const Baseline* baseline) {
  SourceCache sources = sample_sources();
  std::string sarif = write_sarif(document, sample_rules(), baseline, sources);
  return replaced(replaced(sarif, sources.absolute("."), "/ROOT/"), "\"" SYNCSNIFF_VERSION "\"", "\"VERSION\"");
}

std::string text_of(const FindingsDocument& document, const TextStyle& style, const Baseline& baseline = {}) {
  SourceCache sources = sample_sources();
  return write_text(document, baseline, sources, style);
}

TEST(Text, Plain) { expect_golden("plain.txt", text_of(sample_document(), {})); }
TEST(Text, Colour) { expect_golden("colour.txt", text_of(sample_document(), {.colour = true})); }
TEST(Text, Quiet) { expect_golden("quiet.txt", text_of(sample_document(), {.quiet = true})); }
TEST(Text, AllowedAreShownOnRequest) {
  expect_golden("allowed.txt", text_of(sample_document(), {.show_allowed = true}));
}

TEST(Text, BaselineFindingsAreLeftOut) {
  std::string text =
      text_of(sample_document(), {.quiet = true}, {{"aa01", Severity::kHigh}, {"bb02", Severity::kHigh}});
  EXPECT_EQ(text, "train.cu:9:10: remark: copy blocks the host [blocking-copy-in-loop] (low)\n");
}

TEST(Text, AFileThatIsGoneCostsTheExcerptOnly) {
  FindingsDocument document = sample_document();
  document.findings.resize(1);
  document.findings[0].location.file = "gone.cu";
  document.findings[0].path.clear();
  EXPECT_EQ(text_of(document, {}),
            "gone.cu:2:22: warning: wait_for_it waits for the device in a loop that launches GPU work [sync-in-loop] "
            "(medium)\n"
            "gone.cu:2:22: note: fix: move the wait out of the loop\n");
}

TEST(Text, LongPathsLoseTheirMiddle) {
  FindingsDocument document;
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.message = "waits";
  finding.location = {"far.cu", 100, 1, 100, 2};
  for (unsigned i = 1; i <= 12; ++i) finding.path.push_back({{"gone.cu", i, 1, i, 2}, "step " + std::to_string(i)});
  document.findings.push_back(finding);
  EXPECT_EQ(text_of(document, {}),
            "far.cu:100:1: warning: waits [sync-in-loop] (high)\n"
            "gone.cu:1:1: note: step 1\ngone.cu:2:1: note: step 2\ngone.cu:3:1: note: step 3\n"
            "gone.cu:4:1: note: step 4\ngone.cu:5:1: note: ... 4 more steps ...\n"
            "gone.cu:9:1: note: step 9\ngone.cu:10:1: note: step 10\ngone.cu:11:1: note: step 11\n"
            "gone.cu:12:1: note: step 12\n");
}

TEST(Text, NothingInAMessageMovesTheCursor) {
  FindingsDocument document;
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.message = "bad\x1b[2J\nname \xff";
  finding.location = {"a\x07.cu", 1, 1, 1, 2};
  document.findings.push_back(finding);
  EXPECT_EQ(text_of(document, {}), "a\\x07.cu:1:1: warning: bad\\x1b[2J\\nname \\xff [sync-in-loop] (high)\n");
}

TEST(Github, Commands) { expect_golden("github.txt", write_github(sample_document(), {})); }

TEST(Sarif, Whole) { expect_golden("whole.sarif", sarif_of(sample_document(), nullptr)); }

TEST(Sarif, BaselineState) {
  Baseline baseline{{"aa01", Severity::kHigh}};
  auto results = nlohmann::json::parse(sarif_of(sample_document(), &baseline))["runs"][0]["results"];
  EXPECT_EQ(results[0]["baselineState"], "new");
  EXPECT_EQ(results[1]["baselineState"], "unchanged");
}

TEST(Sarif, AnEditThatDoesNotFitIsNoFix) {
  FindingsDocument document = sample_document();
  document.findings[1].fix.edits[0].offset = 100000;
  auto results = nlohmann::json::parse(sarif_of(document, nullptr))["runs"][0]["results"];
  EXPECT_FALSE(results[1].contains("fixes"));
}

TEST(Sarif, FilesOutsideTheRootAreFileUris) {
  FindingsDocument document;
  Finding finding = sample_document().findings[0];
  finding.path.clear();
  finding.location.file = "/elsewhere/a b#1.cu";
  document.findings.push_back(finding);
  document.findings.push_back(finding);
  document.findings[1].location.file = "../../c\xc3\xa9.cu";
  auto results = nlohmann::json::parse(sarif_of(document, nullptr))["runs"][0]["results"];
  auto place = [&](size_t i) { return results[i]["locations"][0]["physicalLocation"]["artifactLocation"]; };
  EXPECT_EQ(place(0), (nlohmann::json{{"uri", "file:///elsewhere/a%20b%231.cu"}}));
  std::string uri = place(1)["uri"];
  EXPECT_TRUE(uri.starts_with("file:///") && uri.ends_with("/analyzer/c%C3%A9.cu")) << uri;
  EXPECT_FALSE(place(1).contains("uriBaseId"));
}

TEST(Sarif, BadUtf8DoesNotThrow) {
  FindingsDocument document = sample_document();
  document.findings[0].message = "bad \xff byte";
  auto results = nlohmann::json::parse(sarif_of(document, nullptr))["runs"][0]["results"];
  EXPECT_EQ(results[0]["message"]["text"], "bad \xEF\xBF\xBD byte");
}

TEST(Sarif, NothingAnalysedIsNoSuccess) {
  FindingsDocument document;
  document.units = {{"a.cu", "failed", "no such header"}};
  auto run = nlohmann::json::parse(sarif_of(document, nullptr))["runs"][0];
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
}

}  // namespace
}  // namespace syncsniff::output
