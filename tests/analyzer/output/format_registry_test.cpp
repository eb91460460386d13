// Help, errors and docs/check.md name the formats of the registry, and no other.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "analyzer/output/formats.h"
#include "analyzer/output/options.h"
#include "analyzer/output/source_text.h"
#include "tests/analyzer/output/sample_document.h"

namespace syncsniff::output {
namespace {

std::string help_of(const char* command) {
  const char* words[] = {"syncsniff", command, "--help"};
  return parse_options(3, words).out;
}

TEST(FormatRegistry, TheTableInTheDocsIsTheRegistry) {
  const auto page = read_whole_file(std::string(SYNCSNIFF_SOURCE_DIR) + "/docs/check.md");
  ASSERT_TRUE(page);
  const size_t begin = page->find("| format | what it is |\n|---|---|\n");
  ASSERT_NE(begin, std::string::npos);
  std::string expected = "| format | what it is |\n|---|---|\n";
  for (const ReportFormat& format : report_formats())
    expected += "| `" + std::string(format.name) + "` | " + std::string(format.help) + " |\n";
  EXPECT_EQ(page->substr(begin, expected.size() + 1), expected + "\n") << "write this table into docs/check.md";
  for (const ReportFormat& format : report_formats())
    EXPECT_NE(page->find("\n* **" + std::string(format.name) + "**: "), std::string::npos)
        << "docs/check.md, Formats: no paragraph about " << format.name;
}

TEST(FormatRegistry, HelpOfBothCommandsListsIt) {
  for (const char* command : {"check", "fix"}) {
    const std::string help = help_of(command);
    EXPECT_NE(help.find("FORMAT:{" + format_names(",") + "}"), std::string::npos) << help;
    for (const ReportFormat& format : report_formats())
      EXPECT_TRUE(
          std::regex_search(help, std::regex("\n  " + std::string(format.name) + " +" + std::string(format.help))))
          << format.name;
  }
}

TEST(FormatRegistry, NamesAreWordsAndDiffer) {
  for (const ReportFormat& format : report_formats()) {
    EXPECT_TRUE(std::regex_match(std::string(format.name), std::regex("[a-z]+"))) << format.name;
    EXPECT_EQ(find_format(format.name), &format) << format.name << " is there twice";
    EXPECT_FALSE(format.help.empty() || format.help.find_first_of("\n|") != std::string_view::npos) << format.name;
  }
  EXPECT_EQ(find_format("xml"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
}

// What an allow comment or the baseline silences is in a report as that, or not at all.
TEST(FormatRegistry, NoFormatReportsWhatIsAllowedOrInTheBaseline) {
  FindingsDocument document = sample_document();
  Finding known = document.findings[0], allowed = document.findings[3];
  known.message = "known to the baseline";
  allowed.message = "allowed by a comment";
  document.findings = {known, allowed};
  SourceCache sources = sample_sources();
  for (const ReportFormat& format : report_formats()) {
    const std::string out = format.write({document, {}, {{known.fingerprint, Severity::kHigh}}, true, sources});
    const bool lists_all = format.name == "json" || format.name == "sarif";  // with their state
    EXPECT_EQ(out.find("known to the baseline") != std::string::npos, lists_all) << format.name;
    EXPECT_EQ(out.find("allowed by a comment") != std::string::npos, lists_all) << format.name;
  }
}

}  // namespace
}  // namespace syncsniff::output
