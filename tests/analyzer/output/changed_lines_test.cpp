// Lines of a patch, names as git quotes them, and which findings they concern.
#include "analyzer/changes/changed_lines.h"

#include <gtest/gtest.h>

namespace syncsniff::changes {
namespace {

ChangedLines lines_of(const std::string& patch) {
  ChangedLines lines;
  lines.add_patch(patch, "/root");
  return lines;
}

TEST(ChangedLines, HoldWhatHunksAdd) {
  const ChangedLines lines = lines_of(
      "diff --git a/a.cu b/a.cu\nindex 1..2 100644\n--- a/a.cu\n+++ b/a.cu\n@@ -3 +3 @@ void f() {\n-x\n+y\n"
      "@@ -10,0 +11,2 @@\n+z\n+z\n@@ -20,2 +22,0 @@\n-gone\n-gone\n\\ No newline at end of file\n");
  for (const unsigned changed : {3u, 11u, 12u}) EXPECT_TRUE(lines.holds("/root/a.cu", changed, changed)) << changed;
  for (const unsigned kept : {2u, 4u, 10u, 13u, 20u, 22u}) EXPECT_FALSE(lines.holds("/root/a.cu", kept, kept)) << kept;
  EXPECT_TRUE(lines.holds("/root/a.cu", 4, 11));
  EXPECT_FALSE(lines.holds("/root/b.cu", 3, 3));
}

// A finding that stands on both sides of lines that are gone is concerned; one on either side is not.
TEST(ChangedLines, LinesThatAreOnlyGoneChangeTheirFile) {
  const ChangedLines lines = lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -8 +7,0 @@ void f() {\n-  if (now) return;\n");
  EXPECT_EQ(lines.files(), std::vector<std::string>{"/root/a.cu"});
  EXPECT_FALSE(lines.holds("/root/a.cu", 7, 7));
  EXPECT_FALSE(lines.holds("/root/a.cu", 8, 8));
  EXPECT_TRUE(lines.holds("/root/a.cu", 7, 8));
  EXPECT_EQ(lines.first_lines().at(0).second, 7u);
  EXPECT_EQ(lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -1 +0,0 @@\n-x\n").first_lines().at(0).second, 1u);
}

// An old finding may span several lines, of which a new comment is none.
TEST(ChangedLines, CommentsAndBlankLinesAreNoChange) {
  EXPECT_TRUE(
      lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -3,0 +4,2 @@\n+  // why\n+\n@@ -9 +11 @@\n-// old\n+// new\n").empty());
  const ChangedLines lines = lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -3,0 +4,2 @@\n+  // why\n+  wait();\n");
  EXPECT_TRUE(lines.holds("/root/a.cu", 5, 5));
}

TEST(ChangedLines, WhatAnAllowCoveredChangesWithIt) {
  for (const std::string gone : {"// syncsniff: allow(sync-in-loop) needed", "// NOLINTNEXTLINE(syncsniff-*)"}) {
    const ChangedLines lines = lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -8 +7,0 @@ void f() {\n-  " + gone + "\n");
    EXPECT_TRUE(lines.holds("/root/a.cu", 8, 8)) << gone;
    EXPECT_FALSE(lines.holds("/root/a.cu", 7, 7)) << gone;
    const ChangedLines replaced =
        lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -8 +8 @@ void f() {\n-  " + gone + "\n+  // nothing\n");
    EXPECT_TRUE(replaced.holds("/root/a.cu", 9, 9)) << gone;
  }
}

// A patch without context does not show the comment above what it adds: the text before the change does.
TEST(ChangedLines, WhatIsPartedFromItsAllowChanges) {
  const auto parted = [](const std::string& above) {
    ChangedLines lines = lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -3,0 +4,2 @@\n+  n += 1;\n+  m += 1;\n");
    lines.add_parted_from_allows({{"/root/a.cu", "void f() {\n" + above + "  wait();\n}\n"}});
    EXPECT_FALSE(lines.holds("/root/a.cu", 7, 7));
    return lines.holds("/root/a.cu", 6, 6);
  };
  EXPECT_TRUE(parted("  g();\n  // NOLINTNEXTLINE(syncsniff-*)\n"));
  EXPECT_TRUE(parted("  // syncsniff: allow(sync-in-loop) the plot\n  // needs it\n"));
  EXPECT_FALSE(parted("  g();\n  wait();  // syncsniff: allow(sync-in-loop) the plot needs it\n"));
  EXPECT_FALSE(parted("  // syncsniff: allow(sync-in-loop) the plot needs it\n  wait();\n"));
}

TEST(ChangedLines, WhatABlockCoveredChangesWithIt) {
  const std::string file = "--- a/a.cu\n+++ b/a.cu\n", begin = "// NOLINTBEGIN(syncsniff-*)\n",
                    end = "// NOLINTEND(syncsniff-*)\n";
  const ChangedLines gone = lines_of(file + "@@ -5 +4,0 @@\n-" + begin + "@@ -20 +18,0 @@\n-" + end);
  EXPECT_TRUE(gone.holds("/root/a.cu", 5, 5));
  EXPECT_TRUE(gone.holds("/root/a.cu", 18, 18));
  EXPECT_FALSE(gone.holds("/root/a.cu", 19, 19));
  EXPECT_FALSE(gone.holds("/root/a.cu", 4, 4));
  const ChangedLines shorter = lines_of(file + "@@ -9,0 +10 @@\n+" + end + "@@ -20 +20,0 @@\n-" + end);
  EXPECT_TRUE(shorter.holds("/root/a.cu", 15, 15));
  EXPECT_FALSE(shorter.holds("/root/a.cu", 21, 21));
  const ChangedLines longer = lines_of(file + "@@ -9 +8,0 @@\n-" + end + "@@ -20,0 +20 @@\n+" + end);
  EXPECT_FALSE(longer.holds("/root/a.cu", 15, 15));
  const ChangedLines other = lines_of(file + "@@ -5 +5 @@\n-" + begin + "+// NOLINTBEGIN(syncsniff-a)\n@@ -9 +9 @@\n-" +
                                      end + "+// NOLINTEND(syncsniff-a)\n");
  EXPECT_TRUE(other.holds("/root/a.cu", 7, 7));
}

TEST(ChangedLines, OfAPatchThatIsCutOffTheLastHunkCounts) {
  EXPECT_TRUE(lines_of("--- a/a.cu\n+++ b/a.cu\n@@ -3 +3,2 @@\n-x\n+y\n").holds("/root/a.cu", 3, 3));
}

TEST(ChangedLines, ANameWithABlankAndAQuoteIsRead) {
  const ChangedLines lines = lines_of("--- a/x\n+++ \"b/a b\\\"c.cu\"\t\n@@ -0,0 +1 @@\n+y\n");
  EXPECT_EQ(lines.files(), std::vector<std::string>{"/root/a b\"c.cu"});
}

TEST(ChangedLines, TextThatLooksLikeAPatchIsText) {
  const ChangedLines lines = lines_of(
      "diff --git a/a.cu b/a.cu\n--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,2 @@\n--- a/old.cu\n-@@ -1 +1 @@\n+++ b/new.cu\n"
      "+@@ -1 +70,3 @@\n@@ -9 +9 @@\n-x\n+y\n");
  EXPECT_EQ(lines.files(), std::vector<std::string>{"/root/a.cu"});
  EXPECT_TRUE(lines.holds("/root/a.cu", 9, 9));
  EXPECT_FALSE(lines.holds("/root/a.cu", 70, 70));
}

TEST(ChangedLines, NamesAreReadAsGitWritesThem) {
  const ChangedLines lines = lines_of(
      "--- a/a b.cu\t\n+++ b/a b.cu\t\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ \"b/t\\tq\\\"s\\\\\\303\\244.cu\"\n@@ "
      "-0,0 +1 @@\n+y\n"
      "--- a/gone.cu\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
  EXPECT_EQ(lines.files(), (std::vector<std::string>{"/root/a b.cu", "/root/gone.cu", "/root/t\tq\"s\\\xc3\xa4.cu"}));
}

TEST(ChangedLines, WhatIsNoPatchAddsNothing) {
  for (const char* text : {"", "\n\n", "@@ -1 +1 @@\n-x\n+y\n", "+++ b/a.cu\n@@\n", "+++ b/a.cu\n@@ -1 @@\n",
                           "+++ \"b/a\\", "+++ b/a.cu\n@@ -99999999999999999999 +99999999999999999999 @@\n"})
    lines_of(text);
  EXPECT_TRUE(lines_of("@@ -1 +1 @@\n-x\n+y\n").empty());
  EXPECT_TRUE(lines_of("+++ b/a.cu\n@@ -1 @@\n").empty());
}

TEST(ChangedLines, ConcernWhatTheyHoldAndWhatTheyCause) {
  const Location place{"/root/loss.h", 10, 5, 10, 20}, call{"/root/a.cu", 5, 1, 7, 2}, made{"/root/b.cu", 9, 1, 9, 2};
  Finding finding;
  finding.location = place;
  finding.path = {{{"/root/a.cu", 3, 1, 3, 2}, "this loop"}, {call, "calls"}};
  finding.evidence = {{made, "the memory is pageable"}};
  const auto touched = [&](const std::string& file, unsigned line) {
    ChangedLines lines;
    lines.add(file, line, line);
    return concerns(lines, finding);
  };
  EXPECT_TRUE(touched("/root/loss.h", 10));
  EXPECT_TRUE(touched("/root/a.cu", 3));
  EXPECT_TRUE(touched("/root/a.cu", 6)) << "a line of a call that spans several";
  EXPECT_TRUE(touched("/root/b.cu", 9));
  EXPECT_FALSE(touched("/root/a.cu", 4));
  EXPECT_FALSE(touched("/root/loss.h", 11));
  EXPECT_FALSE(touched("/other/loss.h", 10));
}

}  // namespace
}  // namespace syncsniff::changes
