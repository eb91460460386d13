#include "analyzer/fixes/unified_diff.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "analyzer/fixes/apply_edits.h"
#include "analyzer/output/source_text.h"

namespace syncsniff::fixes {
namespace {

TEST(UnifiedDiff, OneLine) {
  EXPECT_EQ(unified_diff("d/f.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{"", 8, 1, "five"}}),
            "--- a/d/f.cu\n+++ b/d/f.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}
TEST(UnifiedDiff, NearChangesShareAHunk) {
  std::string text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  EXPECT_EQ(unified_diff("f", text, {{"", 2, 2, ""}, {"", 16, 2, ""}}),  // six lines between
            "--- a/f\n+++ b/f\n@@ -1,10 +1,8 @@\n 0\n-1\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n 9\n");
  EXPECT_EQ(unified_diff("f", text, {{"", 2, 2, ""}, {"", 18, 2, ""}}),  // seven
            "--- a/f\n+++ b/f\n@@ -1,5 +1,4 @@\n 0\n-1\n 2\n 3\n 4\n@@ -7,4 +6,3 @@\n 6\n 7\n 8\n-9\n");
}
TEST(UnifiedDiff, NoNewlineAtTheEnd) {
  EXPECT_EQ(
      unified_diff("f", "a\nb", {{"", 2, 1, "c"}}),
      "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("f", "a\nb", {{"", 0, 2, ""}}),
            "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("f", "a\nb", {{"", 3, 0, "\n"}}),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}
TEST(UnifiedDiff, WholeFile) {
  EXPECT_EQ(unified_diff("f", "a\n", {{"", 0, 2, ""}}), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(unified_diff("f", "", {{"", 0, 0, "a\n"}}), "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
}
TEST(UnifiedDiff, NothingChanged) {
  EXPECT_EQ(unified_diff("f", "a\n", {{"", 0, 1, "a"}}), "");
  EXPECT_EQ(unified_diff("f", "a\n", {}), "");
}
TEST(UnifiedDiff, Names) {
  auto head = [](const std::string& path) {
    std::string diff = unified_diff(path, "a\n", {{"", 0, 2, ""}});
    return diff.substr(0, diff.find('\n'));
  };
  EXPECT_EQ(head("/abs/f.cu"), "--- a/abs/f.cu");
  EXPECT_EQ(head("my f.cu"), "--- a/my f.cu\t");
  EXPECT_EQ(head("a\"b\\c\td"), "--- \"a/a\\\"b\\\\c\\011d\"");
}

// git is the judge: random texts (CRLF, empty lines, no last newline) and random edits, many files in one patch.
TEST(UnifiedDiff, GitAppliesWhatIsPrinted) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(testing::TempDir()) / ("unified_diff." + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::mt19937 random(7);
  auto below = [&](size_t n) { return static_cast<unsigned>(random() % n); };
  std::string patch;
  std::vector<std::string> expected;
  for (int i = 0; i < 400; ++i) {
    std::string text;
    for (unsigned line = below(25); line > 0; --line)
      text += std::string(below(4), static_cast<char>('a' + below(3))) + (below(5) == 0 ? "\r\n" : "\n");
    text += below(2) ? "tail" : "";
    std::vector<Edit> edits;
    for (size_t at = 0; edits.size() < 4 && at <= text.size();) {
      size_t offset = at + below(text.size() - at + 1);
      size_t length = std::min<size_t>(below(9), text.size() - offset);
      constexpr const char* kNew[] = {"", "x", "new\n", "\n", "p\nq"};
      edits.push_back({"", static_cast<unsigned>(offset), static_cast<unsigned>(length), kNew[below(5)]});
      at = offset + length + (length == 0 ? 1 : below(3));
    }
    std::string name = "f" + std::to_string(i), after = apply_edits(text, edits);
    if (after.empty() || text.empty()) continue;  // git reads those as creation and deletion
    std::ofstream(folder / name, std::ios::binary) << text;
    patch += unified_diff(name, text, edits);
    expected.resize(static_cast<size_t>(i) + 1);
    expected[static_cast<size_t>(i)] = after;
  }
  std::ofstream(folder / "patch", std::ios::binary) << patch;
  std::string git =
      "cd '" + folder.string() + "' && git init -q && git -c core.autocrlf=false apply --whitespace=nowarn patch";
  ASSERT_EQ(std::system(git.c_str()), 0);
  int compared = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].empty()) continue;
    ++compared;
    ASSERT_EQ(output::read_whole_file((folder / ("f" + std::to_string(i))).string()), expected[i]) << i;
  }
  EXPECT_GT(compared, 300);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace syncsniff::fixes
