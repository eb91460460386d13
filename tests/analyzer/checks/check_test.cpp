// Runs `check` on every program of this folder and compares with the expectations in its comments: a missing and an
// unexpected finding both fail. A program's name begins with the rule that it is about; a folder is one program.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "rules/api_facts.h"
#include "rules/rule.h"
#include "tests/analyzer/checks/expectations.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {
namespace {

namespace fs = std::filesystem;

// SYNCSNIFF_CHECK_PROGRAMS: another folder of programs, for trying some out.
std::string programs_folder() {
  const char* other = std::getenv("SYNCSNIFF_CHECK_PROGRAMS");
  return other ? other : std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/analyzer/checks";
}

std::vector<std::string> programs() {
  std::vector<std::string> out;
  const auto rules = load_rules(std::string(SYNCSNIFF_SOURCE_DIR) + "/rules/checks");
  for (const auto& entry : fs::directory_iterator(programs_folder())) {
    const std::string name = entry.path().filename().string();
    const bool about_a_rule =
        std::any_of(rules.begin(), rules.end(), [&](const auto& rule) { return name.rfind(rule.first, 0) == 0; });
    if (about_a_rule) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string line_of(const Location& location) {
  std::ifstream file(location.file);
  std::string line;
  for (unsigned i = 0; i < location.line; ++i) std::getline(file, line);
  return line;
}

// A unit that is parsed again replaces its entry by a new file.
std::map<std::string, ino_t> entries_of(const std::string& cache) {
  std::map<std::string, ino_t> out;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    struct stat info {};
    if (entry.path().extension() == ".facts" && stat(entry.path().c_str(), &info) == 0)
      out[entry.path().string()] = info.st_ino;
  }
  return out;
}

class CheckTest : public testing::TestWithParam<std::string> {};

TEST_P(CheckTest, FindsWhatItsCommentsSay) {
  const std::string path = programs_folder() + "/" + GetParam();
  Expectations expected;
  for (const std::string& text : texts_of(path)) read_expectations(text, expected);
  for (const std::string& header : expected.requires_) {
    if (!has_cuda_header(header)) GTEST_SKIP() << "no " << header << " on this machine";
  }
  const TemporaryFolder cache;
  const FindingsDocument document = analyse_sources(sources_of(path), expected.flags, expected.level, cache.path());
  ASSERT_EQ(document.units.size(), sources_of(path).size());
  for (const UnitStatus& unit : document.units) {
    EXPECT_EQ(unit.status, expected.status) << unit.file << ": " << unit.why;
  }
  for (const std::string& difference : compare(expected, document.findings)) ADD_FAILURE() << difference;
  // A second run parses nothing and finds the same.
  const auto entries = entries_of(cache.path());
  EXPECT_EQ(entries.size(), document.units.size());
  EXPECT_EQ(write_findings_json(analyse_sources(sources_of(path), expected.flags, expected.level, cache.path())),
            write_findings_json(document));
  EXPECT_EQ(entries_of(cache.path()), entries);
  // What fix would delete stands in lines that say so, and no other.
  for (const Finding& finding : document.findings) {
    const bool says = line_of(finding.location).find("deleted by fix") != std::string::npos;
    EXPECT_EQ(!finding.fix.edits.empty(), says) << finding.location.file << ":" << finding.location.line;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, CheckTest, testing::ValuesIn(programs()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

// The harness itself must be able to fail.
TEST(Expectations, TellMissingAndUnexpectedFindings) {
  TemporaryFolder folder;
  const std::string file = folder.write("a.cu",
                                        "wait();  // expect-high {{waits}} [sync-in-loop]\n"
                                        "// expect-low@+1 [redundant-sync]\n"
                                        "wait();\n"
                                        "// expect-hgih [sync-in-loop]\n");
  Expectations expected;
  read_expectations(file, expected);
  ASSERT_EQ(expected.findings.size(), 2u);
  EXPECT_EQ(expected.findings[1].line, 3u);
  ASSERT_EQ(expected.errors.size(), 1u);
  expected.errors.clear();

  Finding finding;
  finding.rule = "sync-in-loop";
  finding.location = {file, 1, 1, 1, 7};
  finding.message = "the host waits";
  Finding second = finding;
  second.rule = "redundant-sync";
  second.location.line = 3;
  second.severity = Severity::kLow;
  EXPECT_TRUE(compare(expected, {finding, second}).empty());
  EXPECT_EQ(compare(expected, {finding}).size(), 1u);
  EXPECT_EQ(compare(expected, {finding, second, second}).size(), 1u);
  finding.message = "something else";
  EXPECT_EQ(compare(expected, {finding, second}).size(), 1u);
  finding.message = "the host waits";
  finding.severity = Severity::kMedium;
  EXPECT_EQ(compare(expected, {finding, second}).size(), 1u);
  finding.severity = Severity::kHigh;
  finding.location.line = 2;
  EXPECT_EQ(compare(expected, {finding, second}).size(), 2u);
}

}  // namespace
}  // namespace syncsniff::test
