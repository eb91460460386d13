#include "analyzer/output/snippet.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace syncsniff::output {
namespace {

std::string show(const std::string& text, unsigned line, unsigned column, unsigned end_line, unsigned end_column) {
  return snippet(SourceText(text), {"a", line, column, end_line, end_column}, true, Colours(false));
}

TEST(Snippet, Plain) { EXPECT_EQ(show("a;\n  call(x);\n", 2, 3, 2, 10), "    2 |   call(x);\n      |   ^~~~~~~\n"); }
TEST(Snippet, PointOnly) { EXPECT_EQ(show("call();\n", 1, 1, 0, 0), "    1 | call();\n      | ^\n"); }
TEST(Snippet, TabsReachToTheNextStop) {
  EXPECT_EQ(show("\tif (a\t== b) c();\n", 1, 14, 1, 17),
            "    1 |         if (a   == b) c();\n      |                       ^~~\n");
}
TEST(Snippet, Utf8CountsAsItLooks) {
  // U+00E9 one column, U+65E5 two, e + U+0301 one.
  EXPECT_EQ(show("f(\"\xc3\xa9\xe6\x97\xa5\x65\xcc\x81\", g());\n", 1, 15, 1, 18),
            "    1 | f(\"\xc3\xa9\xe6\x97\xa5\x65\xcc\x81\", g());\n      |           ^~~\n");
}
TEST(Snippet, WideCharacterUnderTheCaret) {
  EXPECT_EQ(show("\xe6\x97\xa5\xe6\x9c\xac;\n", 1, 1, 1, 7), "    1 | \xe6\x97\xa5\xe6\x9c\xac;\n      | ^~~~\n");
}
TEST(Snippet, BadAndControlBytesAreShown) {
  EXPECT_EQ(show("a\x1b\xffz();\n", 1, 4, 1, 7), "    1 | a\\x1b\\xffz();\n      |          ^~~\n");
}
TEST(Snippet, CrlfIsNoPartOfTheLine) { EXPECT_EQ(show("f();\r\n", 1, 1, 1, 5), "    1 | f();\n      | ^~~~\n"); }
TEST(Snippet, RangeOverLinesEndsWithTheFirst) {
  EXPECT_EQ(show("f(a,  \n  b);\n", 1, 1, 2, 6), "    1 | f(a,\n      | ^~~~\n");
}
TEST(Snippet, ColumnPastTheEnd) { EXPECT_EQ(show("f()\n", 1, 9, 1, 12), "    1 | f()\n      |    ^\n"); }
TEST(Snippet, NoSuchLine) { EXPECT_EQ(show("f()\n", 3, 1, 3, 2), ""); }
TEST(Snippet, LongLinesAreCutAroundTheCaret) {
  std::string line = std::string(300, 'a') + "call()" + std::string(300, 'b');
  std::string shown = show(line + "\n", 1, 301, 1, 307);
  EXPECT_EQ(shown, "    1 | ..." + std::string(40, 'a') + "call()" + std::string(114, 'b') + "...\n      | " +
                       std::string(43, ' ') + "^~~~~~\n");
}

TEST(SourceText, APipeIsNoSource) {
  char folder[] = "/tmp/syncsniff-pipe-XXXXXX";
  const std::string pipe = std::string(mkdtemp(folder)) + "/pipe.cu";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  alarm(10);  // a test that waits for the pipe is ended
  EXPECT_EQ(SourceCache().get(pipe), nullptr);
  EXPECT_EQ(SourceCache().get("/dev/zero"), nullptr);
  alarm(0);
  std::filesystem::remove_all(folder);
}

TEST(SourceText, LinesAndOffsets) {
  SourceText text("ab\r\n\ncd");
  EXPECT_EQ(text.line_count(), 3u);
  EXPECT_EQ(text.line(1), "ab");
  EXPECT_EQ(text.line(2), "");
  EXPECT_EQ(text.line(3), "cd");
  EXPECT_EQ(text.line(4), "");
  EXPECT_EQ(text.line_at(0), 1u);
  EXPECT_EQ(text.line_at(3), 1u);
  EXPECT_EQ(text.line_at(4), 2u);
  EXPECT_EQ(text.line_at(99), 3u);
  EXPECT_EQ(text.line_start(3), 5u);
  EXPECT_EQ(text.line_start(4), 7u);
}

TEST(SourceText, Utf16Columns) {
  SourceText text("\xc3\xb6\xf0\x9f\x93\x8fx\n");  // U+00F6 is one unit, U+1F4CF two
  EXPECT_EQ(text.utf16_column(1, 1), 1u);
  EXPECT_EQ(text.utf16_column(1, 3), 2u);
  EXPECT_EQ(text.utf16_column(1, 7), 4u);
  EXPECT_EQ(text.utf16_column(1, 8), 5u);
  EXPECT_EQ(text.utf16_column(1, 10), 7u);
}

}  // namespace
}  // namespace syncsniff::output
