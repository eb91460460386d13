// Every field of every format of `check`, and what it says on standard error, fed with text that commands terminals
// and CI services.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyzer/output/check_command.h"
#include "analyzer/output/formats.h"
#include "analyzer/output/github.h"
#include "analyzer/output/sarif.h"
#include "analyzer/output/text.h"
#include "rules/rule.h"
#include "tests/hostile_text.h"

namespace syncsniff::output {
namespace {

using test::Form;
using test::hostile_texts;
using test::unfit;

const std::string kData = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/analyzer/output/data";

// A folder with the hostile word as source text, in files called by it where a file can be.
class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/syncsniff-hostile-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SourceCache sources_with(const std::string& word) const {
    std::ofstream(folder_ + "/plain.cu", std::ios::binary) << word << "\n"
                                                           << word << " x // syncsniff: allow(" << word << ")\n";
    const bool can_be_a_name = word.find_first_of(std::string("\0/", 2)) == std::string::npos && word.size() < 200;
    if (can_be_a_name) std::ofstream(folder_ + "/" + word, std::ios::binary) << word << "\n" << word << "\n";
    return SourceCache(folder_);
  }
  static FindingsDocument document_with(const std::string& word) {
    FindingsDocument document;
    document.findings = {test::hostile_finding(word), test::hostile_finding(word), test::hostile_finding(word)};
    document.findings[1].location.file = "plain.cu";
    document.findings[1].severity = Severity::kLow;
    document.findings[2].allowed = true;
    document.findings[2].allowed_because = word;
    document.units = {{word, "failed", word}, {word, "partial", word}, {word, "analysed", word}, {word, word, word}};
    return document;
  }
  std::string folder_;
};

TEST_F(Hostile, Text) {
  for (const std::string& word : hostile_texts()) {
    SourceCache sources = sources_with(word);
    const FindingsDocument document = document_with(word);
    EXPECT_EQ(unfit(write_text(document, {}, sources, {.show_allowed = true})), "");
    EXPECT_EQ(unfit(write_text(document, {}, sources, {.quiet = true})), "");
    EXPECT_EQ(unfit(write_text(document, {}, sources, {.colour = true, .show_allowed = true}), Form::kColoured), "");
  }
}

TEST_F(Hostile, GithubWritesItsOwnCommandsAndNoOther) {
  for (const std::string& word : hostile_texts()) {
    const std::string output = write_github(document_with(word), {});
    EXPECT_EQ(unfit(output, Form::kGithub), "");
    EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 2 + 3) << "findings and units: " << output;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(test::is_own_command(line)) << line;
  }
}

TEST_F(Hostile, SarifMeansWhatWasMeant) {
  for (const std::string& word : hostile_texts()) {
    SourceCache sources = sources_with(word);
    FindingsDocument document = document_with(word);
    document.findings[1].fix.edits = {{"plain.cu", 0, 1, word}};
    const std::string output = write_sarif(document, load_rules(kData + "/rules/checks"), nullptr, sources);
    EXPECT_EQ(unfit(output), "");
    const auto run = nlohmann::json::parse(output)["runs"][0];
    if (unfit(word).rfind("no UTF-8", 0) == 0) continue;  // such bytes become U+FFFD
    EXPECT_EQ(run["results"][0]["message"]["text"], word);
    EXPECT_EQ(run["results"][1]["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], word);
    EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["locations"].size(), 1u);
  }
}

// Of every format, those to come included.
TEST_F(Hostile, EveryFormatIsFitToPrint) {
  const std::map<std::string, Rule> rules = load_rules(kData + "/rules/checks");
  for (const std::string& word : hostile_texts()) {
    SourceCache sources = sources_with(word);
    FindingsDocument document = document_with(word);
    document.findings[1].fix.edits = {{"plain.cu", 0, 1, word}};
    for (const ReportFormat& format : report_formats())
      EXPECT_EQ(unfit(format.write({document, rules, {}, false, sources}), Form::kGithub), "") << format.name;
  }
}

TEST_F(Hostile, JsonFormatsMeanWhatWasMeant) {
  for (const std::string& word : hostile_texts()) {
    SourceCache sources = sources_with(word);
    FindingsDocument document = document_with(word);
    document.findings[1].fix.edits = {{"plain.cu", 0, 1, word}};
    const Report report{document, {}, {}, false, sources};
    const auto gitlab = nlohmann::json::parse(find_format("gitlab")->write(report));
    const auto rdjson = nlohmann::json::parse(find_format("rdjson")->write(report))["diagnostics"];
    ASSERT_EQ(gitlab.size(), 2u);
    ASSERT_EQ(rdjson.size(), 2u + 3u) << "findings and units";
    if (unfit(word).rfind("no UTF-8", 0) == 0) continue;  // such bytes become U+FFFD
    EXPECT_EQ(gitlab[0]["check_name"], word);
    EXPECT_EQ(rdjson[0]["location"]["path"], word);
    EXPECT_EQ(rdjson[1]["suggestions"][0]["text"], word);
  }
}

TEST_F(Hostile, StandardErrorOfCheck) {
  setenv("SYNCSNIFF_DATA_DIR", kData.c_str(), 1);
  const auto back = std::filesystem::current_path();
  for (const std::string& word : hostile_texts()) {
    sources_with(word);
    std::filesystem::current_path(folder_);
    std::ostringstream out, err;
    Options options;
    options.colour = ColourChoice::kNever;
    options.report_unused_allows = true;
    options.reports = {{"text", ""}};
    run_check(options, [&](const AnalysisOptions&) { return document_with(word); }, out, err);
    std::filesystem::current_path(back);
    EXPECT_EQ(unfit(out.str()), "");
    EXPECT_EQ(unfit(err.str()), "");
    if (word.find_first_of("\n\"") == std::string::npos) {  // else no comment stands on the line, or in a literal
      EXPECT_NE(err.str().find("unknown rule"), std::string::npos) << "of the allow comment: " << err.str();
    }
    EXPECT_NE(err.str().find(": not analysed: "), std::string::npos) << err.str();
  }
  unsetenv("SYNCSNIFF_DATA_DIR");
}

TEST_F(Hostile, OptionsThatAreWrong) {
  for (const std::string& word : hostile_texts()) {
    const std::string level = "--level=" + word, unknown = "--" + word;
    for (const std::vector<const char*>& words : {std::vector<const char*>{"syncsniff", "check", level.c_str()},
                                                  std::vector<const char*>{"syncsniff", "check", unknown.c_str()},
                                                  std::vector<const char*>{"syncsniff", word.c_str()}}) {
      const ParsedOptions parsed = parse_options(static_cast<int>(words.size()), words.data());
      EXPECT_EQ(unfit(parsed.out + parsed.err), "");
    }
  }
}

}  // namespace
}  // namespace syncsniff::output
