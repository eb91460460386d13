// Findings that differ in their hot call alone: how many each format has of one place, and what is said of the rest.
#include "analyzer/output/hot_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/output/github.h"
#include "analyzer/output/sarif.h"
#include "analyzer/output/text.h"

namespace syncsniff::output {
namespace {

Finding hot_call(unsigned line, Severity severity = Severity::kHigh) {
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.severity = severity;
  finding.message = "waits";
  finding.location = {"loss.h", 10, 5, 10, 20};
  finding.hot_call = {"main.cu", line, 1, line, 9};
  finding.hot_function = "main";
  finding.fingerprint = "call" + std::to_string(line);
  finding.call_fingerprints = {"place", finding.fingerprint};
  return finding;
}

// One place with this many hot calls, and another with one.
FindingsDocument document_with(unsigned calls) {
  FindingsDocument document;
  for (unsigned i = 1; i <= calls; ++i) document.findings.push_back(hot_call(i));
  document.findings.push_back(hot_call(1));
  document.findings.back().location.line = 20;
  document.findings.back().fingerprint = "elsewhere";
  document.units = {{"main.cu", "analysed", ""}};
  return document;
}

size_t lines_of(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

std::string summary_of(const FindingsDocument& document, const Baseline& baseline) {
  return summary_line(count(document, baseline, Severity::kLow));
}

TEST(HotCalls, TheSummaryCountsPlacesAndCalls) {
  FindingsDocument document = document_with(3);
  document.findings[1].severity = Severity::kMedium;
  EXPECT_EQ(summary_of(document, {}), "2 findings (4 hot calls) in 1 file (2 high); 1 unit analysed");
  EXPECT_EQ(
      summary_of(document, {{"call1", Severity::kHigh}, {"call3", Severity::kHigh}, {"elsewhere", Severity::kHigh}}),
      "1 finding in 1 file (1 medium), 2 in the baseline; 1 unit analysed");
  document.findings[0].allowed = document.findings[1].allowed = true;
  EXPECT_EQ(summary_of(document, {}), "2 findings in 1 file (2 high), 1 allowed; 1 unit analysed");
}

TEST(HotCalls, APlaceFailsTheRunByItsMostSevereCall) {
  FindingsDocument document;
  document.findings = {hot_call(1, Severity::kLow), hot_call(2, Severity::kHigh)};
  EXPECT_EQ(count(document, {}, Severity::kHigh).failing, 1u);
  EXPECT_EQ(count(document, {{"call2", Severity::kHigh}}, Severity::kHigh).failing, 0u);
}

TEST(HotCalls, TheFirstOfAPlaceAreKeptAndTheRestIsCountedAndKnown) {
  const FindingsDocument kept = keep_hottest_calls(document_with(5), {}, 3);
  ASSERT_EQ(kept.findings.size(), 4u);
  EXPECT_EQ(kept.findings[0].calls_left_out, 0u);
  EXPECT_EQ(kept.findings[2].hot_call.line, 3u);
  EXPECT_EQ(kept.findings[2].calls_left_out, 2u);
  EXPECT_EQ(kept.findings[2].call_fingerprints, (std::vector<std::string>{"call3", "call4", "call5", "place"}));
  EXPECT_EQ(kept.findings[3].fingerprint, "elsewhere");
  EXPECT_EQ(kept.findings[3].calls_left_out, 0u);
  EXPECT_EQ(kept.units.size(), 1u);
  EXPECT_EQ(keep_hottest_calls(document_with(3), {}, 3).findings[2].calls_left_out, 0u);
}

TEST(HotCalls, NewOnesAreKeptBeforeThoseInTheBaseline) {
  const FindingsDocument kept = keep_hottest_calls(
      document_with(4), {{"call1", Severity::kHigh}, {"call2", Severity::kHigh}, {"call3", Severity::kHigh}}, 2);
  ASSERT_EQ(kept.findings.size(), 3u);
  EXPECT_EQ(kept.findings[0].fingerprint, "call1");
  EXPECT_EQ(kept.findings[1].fingerprint, "call4");
  EXPECT_EQ(kept.findings[1].calls_left_out, 2u);
}

TEST(HotCalls, AllowedOnesDoNotStandForOthers) {
  FindingsDocument document = document_with(3);
  document.findings[0].allowed = true;
  const FindingsDocument kept = keep_hottest_calls(document, {}, 1);
  ASSERT_EQ(kept.findings.size(), 3u);
  EXPECT_TRUE(kept.findings[0].allowed);
  EXPECT_EQ(kept.findings[0].calls_left_out, 0u);
  EXPECT_EQ(kept.findings[1].calls_left_out, 1u);
}

TEST(HotCalls, GithubHasOneAnnotationAPlace) {
  EXPECT_EQ(write_github(document_with(4), {{"call1", Severity::kHigh}, {"elsewhere", Severity::kHigh}}),
            "::warning file=loss.h,line=10,col=5,endColumn=20,title=syncsniff sync-in-loop (high)::waits (and by 2 "
            "more calls)\n");
}

TEST(HotCalls, SarifHasSixteenOfAPlace) {
  SourceCache sources;
  const auto log = nlohmann::json::parse(write_sarif(document_with(20), {}, nullptr, sources));
  const auto& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 17u);
  EXPECT_EQ(results[0]["partialFingerprints"]["syncsniff/v1"], "call1");
  EXPECT_EQ(results[0]["message"]["text"], "waits");
  EXPECT_EQ(results[15]["partialFingerprints"]["syncsniff/v1"], "call16");
  EXPECT_EQ(results[15]["message"]["text"], "waits (and by 4 more calls)");
  EXPECT_EQ(results[16]["partialFingerprints"]["syncsniff/v1"], "elsewhere");
}

TEST(HotCalls, TextNamesFourMoreCalls) {
  SourceCache sources;
  const std::string text = write_text(document_with(7), {}, sources, {});
  EXPECT_EQ(text.substr(0, text.find("loss.h:20")),
            "loss.h:10:5: warning: waits [sync-in-loop] (high) (and by 6 more calls)\n"
            "main.cu:2:1: note: also reached by this call in 'main' (high)\n"
            "main.cu:3:1: note: also reached by this call in 'main' (high)\n"
            "main.cu:4:1: note: also reached by this call in 'main' (high)\n"
            "main.cu:5:1: note: also reached by this call in 'main' (high)\n"
            "main.cu:6:1: note: ... and by 2 more calls, listed in json ...\n");
  TextStyle quiet;
  quiet.quiet = true;
  EXPECT_EQ(lines_of(write_text(document_with(7), {}, sources, quiet)), 2u);
}

}  // namespace
}  // namespace syncsniff::output
