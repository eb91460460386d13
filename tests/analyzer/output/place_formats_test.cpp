// The formats with one entry for each place: what they write, whole, and what they say of further hot calls.
// format_demands_test.py holds the golden files against the formats' schemas.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "analyzer/output/sarif.h"
#include "analyzer/output/writers.h"
#include "tests/analyzer/output/sample_document.h"

namespace syncsniff::output {
namespace {

using Writer = std::string (*)(const Report&);

std::string written(Writer write, const FindingsDocument& document, const Baseline& baseline = {}) {
  SourceCache sources = sample_sources();
  return write({document, {}, baseline, !baseline.empty(), sources});
}

// Paths of the golden file are below the folder that the sources lie in.
std::string gitlab_golden() {
  std::string text = written(write_gitlab, sample_document());
  const std::string below = "tests/analyzer/output/inputs/";
  for (size_t at = text.find(below); at != std::string::npos; at = text.find(below)) text.erase(at, below.size());
  return text;
}

TEST(Concise, Lines) { expect_golden("concise.txt", written(write_concise, sample_document())); }
TEST(Gitlab, Whole) { expect_golden("gitlab.json", gitlab_golden()); }
TEST(Rdjson, Whole) { expect_golden("whole.rdjson", written(write_rdjson, sample_document())); }
TEST(Junit, Whole) { expect_golden("junit.xml", written(write_junit, sample_document())); }

Finding called_in(unsigned line, const std::string& file = "loss.h") {
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.message = "waits";
  finding.location = {file, 10, 5, 10, 20};
  finding.hot_call = {"main.cu", line, 1, line, 9};
  finding.fingerprint = file + " by " + std::to_string(line);
  finding.call_fingerprints = {file + " place", finding.fingerprint};
  return finding;
}

TEST(PlaceFormats, CountFurtherCallsInTheMessage) {
  FindingsDocument document;
  document.findings = {called_in(1), called_in(2), called_in(3)};
  for (Writer write : {write_concise, write_gitlab, write_rdjson, write_junit}) {
    const std::string all = written(write, document),
                      rest = written(write, document, {{"loss.h by 1", Severity::kHigh}});
    EXPECT_EQ(all.find("waits (and by 2 more calls)"),
              all.rfind("waits (and by 2 more calls)", all.find("waits") + 40));
    EXPECT_NE(all.find("waits (and by 2 more calls)"), std::string::npos) << all;
    EXPECT_NE(rest.find("waits (and by 1 more call)"), std::string::npos) << rest;
  }
  EXPECT_EQ(written(write_concise, document), "loss.h:10:5: high: waits (and by 2 more calls) [sync-in-loop]\n");
}

std::vector<std::string> fingerprints(const FindingsDocument& document, const Baseline& baseline = {}) {
  std::vector<std::string> all;
  for (const auto& issue : nlohmann::json::parse(written(write_gitlab, document, baseline)))
    all.push_back(issue["fingerprint"]);
  return all;
}

TEST(Gitlab, AFingerprintIsThePlacesOwnWhicheverCallIsTheHottest) {
  FindingsDocument document;
  document.findings = {called_in(1), called_in(2)};
  EXPECT_EQ(fingerprints(document), std::vector<std::string>{"loss.h place"});
  std::swap(document.findings[0], document.findings[1]);
  EXPECT_EQ(fingerprints(document), std::vector<std::string>{"loss.h place"});
  EXPECT_EQ(fingerprints(document, {{"loss.h by 2", Severity::kHigh}}), std::vector<std::string>{"loss.h place"});
}

TEST(Gitlab, FingerprintsDiffer) {
  FindingsDocument document;
  document.findings = {called_in(1), called_in(1), called_in(1)};
  for (unsigned i = 0; i < 3; ++i) {
    document.findings[i].location.line += i;
    document.findings[i].call_fingerprints.clear();
    document.findings[i].fingerprint = i == 2 ? "" : "same";
  }
  const std::vector<std::string> all = fingerprints(document);
  EXPECT_EQ(all[0], "same");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 3u);
  for (const std::string& one : all) EXPECT_FALSE(one.empty());
}

class GitlabPaths : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/syncsniff-gitlab-XXXXXX";
    folder_ = std::filesystem::canonical(mkdtemp(name)).string();
    std::filesystem::create_directories(folder_ + "/repo/sub/deep");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Of a file that is named so in repo/sub.
  std::string path_of(const std::string& file) {
    FindingsDocument document;
    document.findings = {called_in(1, file)};
    SourceCache sources(folder_ + "/repo/sub");
    return nlohmann::json::parse(write_gitlab({document, {}, {}, false, sources}))[0]["location"]["path"];
  }
  std::string folder_;
};

TEST_F(GitlabPaths, AreRelativeToTheRepository) {
  std::filesystem::create_directories(folder_ + "/repo/.git");
  EXPECT_EQ(path_of("a.cu"), "sub/a.cu");
  EXPECT_EQ(path_of("./deep/../a.cu"), "sub/a.cu");
  EXPECT_EQ(path_of("../b.cu"), "b.cu");
  EXPECT_EQ(path_of(folder_ + "/repo/sub/deep/c.cu"), "sub/deep/c.cu");
  EXPECT_EQ(path_of("../../other/d.cu"), folder_ + "/other/d.cu");
}

TEST_F(GitlabPaths, AWorktreeHasAFileInsteadOfTheFolder) {
  std::ofstream(folder_ + "/repo/.git") << "gitdir: elsewhere\n";
  EXPECT_EQ(path_of("a.cu"), "sub/a.cu");
}

TEST_F(GitlabPaths, WithoutARepositoryAreRelativeToTheWorkingDirectory) { EXPECT_EQ(path_of("a.cu"), "a.cu"); }

nlohmann::json suggestions(const std::vector<Edit>& edits) {
  FindingsDocument document = sample_document();
  document.findings = {document.findings[1]};
  document.findings[0].fix.edits = edits;
  return nlohmann::json::parse(written(write_rdjson, document))["diagnostics"][0].value("suggestions",
                                                                                        nlohmann::json::array());
}

TEST(Rdjson, EditsOfAFixAreOneSuggestionInTheFindingsFile) {
  SourceCache sources = sample_sources();
  const std::string text = sources.get("train.cu")->text();
  const auto both = suggestions({{"train.cu", 10, 2, "b"}, {"train.cu", 3, 1, "a"}});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0]["text"], "a" + text.substr(4, 6) + "b");
  EXPECT_EQ(suggestions({{"train.cu", 3, 1, "a"}, {"my step.cu", 0, 1, ""}}).size(), 0u);
  EXPECT_EQ(suggestions({{"train.cu", 100000, 1, "a"}}).size(), 0u);
  EXPECT_EQ(suggestions({{"train.cu", 3, 4294967295u, "a"}}).size(), 0u);
  EXPECT_EQ(suggestions({{"train.cu", 3, 4, "a"}, {"train.cu", 5, 4, "b"}}).size(), 0u);
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  FindingsDocument document;
  document.findings = {called_in(1, "a<b>&\"'.cu")};
  document.findings[0].message = "x ]]> <y> & \"z\" \x01 \xef\xbf\xbf \xff";
  const std::string xml = written(write_junit, document);
  EXPECT_NE(xml.find("message=\"x ]]&gt; &lt;y&gt; &amp; &quot;z&quot; \\x01 \xef\xbf\xbd \\xff\""), std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<testsuite name=\"a&lt;b&gt;&amp;&quot;'.cu\""), std::string::npos) << xml;
  EXPECT_EQ(xml.find("]]>"), std::string::npos);
}

TEST(Junit, AUnitWithoutFindingsIsAPassedCase) {
  FindingsDocument document;
  document.units = {{"clean.cu", "analysed", ""}};
  EXPECT_EQ(written(write_junit, document),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"syncsniff\" tests=\"1\" failures=\"0\" errors=\"0\" time=\"0\">\n"
            "  <testsuite name=\"clean.cu\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
            "    <testcase name=\"no findings\" classname=\"clean.cu\" time=\"0\"/>\n"
            "  </testsuite>\n</testsuites>\n");
}

// GitHub refuses a run with more than 25,000 results.
TEST(Sarif, KeepsTheMostSevereOfTooMany) {
  FindingsDocument document;
  for (unsigned line = 1; line <= 25010; ++line) {
    document.findings.push_back(called_in(1));
    document.findings.back().location.line = line;
    document.findings.back().severity = line <= 30 ? Severity::kLow : Severity::kHigh;
  }
  document.findings[24999].allowed = true;
  SourceCache sources = sample_sources();
  const auto run = nlohmann::json::parse(write_sarif(document, {}, nullptr, sources))["runs"][0];
  const auto& results = run["results"];
  ASSERT_EQ(results.size(), 25000u);
  const auto line_of = [&](size_t i) { return results[i]["locations"][0]["physicalLocation"]["region"]["startLine"]; };
  EXPECT_EQ(line_of(0), 1);
  EXPECT_EQ(line_of(20), 21);
  EXPECT_EQ(line_of(21), 31) << "those that are dropped are of low severity";
  EXPECT_EQ(results[24999 - 9].contains("suppressions"), false) << "and the allowed one";
  const std::string note = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
  EXPECT_EQ(note, "10 less severe findings are left out: a run has at most 25000");
}

}  // namespace
}  // namespace syncsniff::output
