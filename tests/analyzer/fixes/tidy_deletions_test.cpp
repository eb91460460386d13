#include "analyzer/fixes/tidy_deletions.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace syncsniff::fixes {
namespace {

TEST(TidyDeletions, WholeStatementsOnly) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("tidy." + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.cu") << "a();\n  sync();  // why\nb();\n";
  output::SourceCache sources(folder.string());
  FindingsDocument document;
  document.findings.resize(1);
  document.findings[0].fix.edits = {{"a.cu", 7, 7, ""},    // the statement
                                    {"a.cu", 7, 6, ""},    // the call without its `;`
                                    {"a.cu", 7, 7, "{}"},  // a replacement
                                    {"a.cu", 20, 99, ""},  // past the end
                                    {"gone.cu", 7, 7, ""}};
  tidy_deletions(document, sources);
  std::filesystem::remove_all(folder);
  std::vector<std::pair<unsigned, unsigned>> ranges;
  for (const Edit& edit : document.findings[0].fix.edits) ranges.emplace_back(edit.offset, edit.length);
  EXPECT_EQ(ranges, (std::vector<std::pair<unsigned, unsigned>>{{5, 18}, {7, 6}, {7, 7}, {20, 99}, {7, 7}}));
  tidy_deletions(document, sources);  // once is enough
  EXPECT_EQ(document.findings[0].fix.edits[0].length, 18u);
}

}  // namespace
}  // namespace syncsniff::fixes
