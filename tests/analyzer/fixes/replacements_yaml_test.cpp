#include "analyzer/fixes/replacements_yaml.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "tests/hostile_text.h"

namespace syncsniff::fixes {
namespace {

Finding redundant(const std::string& file, unsigned line, unsigned offset) {
  Finding finding;
  finding.rule = "redundant-sync";
  finding.message = "waits \"again\"";
  finding.location = {file, line, 3, line, 9};
  finding.fix = {FixTier::kSafe, "delete it", {{file, offset, 8, ""}}};
  return finding;
}

std::string yaml_of(const std::vector<Finding>& findings, const std::map<std::string, std::string>& texts) {
  FindingsDocument document;
  document.findings = findings;
  return replacements_yaml(plan_edits(document), texts);
}

const std::string kHere = std::filesystem::current_path().string();

TEST(ReplacementsYaml, IsWhatClangsToolsRead) {
  EXPECT_EQ(yaml_of({redundant("a.cu", 2, 5)}, {{kHere + "/a.cu", "a();\n  sync();\n"}}),
            "---\nMainSourceFile: ''\nDiagnostics:\n"
            "  - DiagnosticName: \"syncsniff-redundant-sync\"\n"
            "    DiagnosticMessage:\n"
            "      Message: \"waits \\\"again\\\"\"\n"
            "      FilePath: \"" +
                kHere +
                "/a.cu\"\n"
                "      FileOffset: 7\n"
                "      Replacements:\n"
                "        - FilePath: \"" +
                kHere +
                "/a.cu\"\n"
                "          Offset: 5\n"
                "          Length: 8\n"
                "          ReplacementText: \"\"\n"
                "    Level: Warning\n"
                "...\n");
}

TEST(ReplacementsYaml, NothingToExportIsAnEmptyList) {
  EXPECT_EQ(yaml_of({}, {}), "---\nMainSourceFile: ''\nDiagnostics: []\n...\n");
}

TEST(ReplacementsYaml, AnEditThatFindingsShareIsWrittenOnce) {
  Finding other = redundant("a.cu", 3, 5);
  other.rule = "sync-in-loop";
  const std::string yaml = yaml_of({redundant("a.cu", 2, 5), other}, {});
  EXPECT_EQ(yaml.find("Offset: 5"), yaml.rfind("Offset: 5"));
  EXPECT_NE(yaml.find("Replacements: []\n"), std::string::npos) << yaml;
}

TEST(ReplacementsYaml, HostileTextStaysText) {
  for (const std::string& word : test::hostile_texts()) {
    Finding finding = redundant("a.cu", 2, 5);
    finding.rule = "rule";
    finding.message = word;
    EXPECT_EQ(test::unfit(yaml_of({finding}, {})), "");
  }
}

TEST(ReplacementsYaml, APathThatIsNoUtf8IsAnError) {
  EXPECT_THROW(yaml_of({redundant("a\xff.cu", 2, 5)}, {}), std::runtime_error);
}

}  // namespace
}  // namespace syncsniff::fixes
