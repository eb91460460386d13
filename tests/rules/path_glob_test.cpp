#include "rules/path_glob.h"

#include <gtest/gtest.h>

namespace syncsniff {
namespace {

TEST(PathGlob, MatchesTheEndOfAPathOrAFolderInIt) {
  for (const char* path : {"/home/u/mylib/train.py", "/home/u/mylib/nn/layer.py", "mylib/x.py", "/mylib"})
    EXPECT_TRUE(PathGlob("mylib").matches(path)) << path;
  for (const char* path : {"/home/u/mylib2/train.py", "/home/u/notmylib/train.py", "/home/u/mylib.py", "", "/"})
    EXPECT_FALSE(PathGlob("mylib").matches(path)) << path;
  EXPECT_TRUE(PathGlob("nn/layer.py").matches("/home/u/mylib/nn/layer.py"));
  EXPECT_TRUE(PathGlob("./mylib/").matches("/home/u/mylib/train.py"));
  EXPECT_TRUE(PathGlob("/home/u").matches("/home/u/mylib/train.py"));
  EXPECT_FALSE(PathGlob("/mylib").matches("/home/u/mylib/train.py")) << "from the root on";
}

TEST(PathGlob, StarsAndQuestionMarksMatchSlashesToo) {
  EXPECT_TRUE(PathGlob("*").matches("/any/thing"));
  EXPECT_TRUE(PathGlob("*/site-packages/my*").matches("/v/lib/python3.11/site-packages/mylib/a/b.py"));
  EXPECT_TRUE(PathGlob("/v/*/b.p?").matches("/v/lib/a/b.py"));
  EXPECT_FALSE(PathGlob("/v/*/b.p?").matches("/v/lib/a/b.p"));
  EXPECT_TRUE(PathGlob("lib*.so.*").matches("/usr/lib/libmy.so.13"));
  EXPECT_FALSE(PathGlob("lib*.so.*").matches("/usr/lib/libmy.so"));
}

TEST(PathGlob, TwoStarsAndASlashAreAnyNumberOfFoldersNoneToo) {
  for (const char* path : {"src/a.cu", "lib/src/a.cu", "/home/u/src/deep/a.cu"})
    EXPECT_TRUE(PathGlob("**/src/**").matches(path)) << path;
  EXPECT_FALSE(PathGlob("**/src/**").matches("mysrc/a.cu"));
  EXPECT_THROW(PathGlob{"**/"}, PatternError);
}

TEST(PathGlob, Sets) {
  EXPECT_TRUE(PathGlob("rank[0-3].py").matches("/x/rank2.py"));
  EXPECT_FALSE(PathGlob("rank[0-3].py").matches("/x/rank4.py"));
  EXPECT_TRUE(PathGlob("rank[!0-3].py").matches("/x/rank4.py"));
  EXPECT_TRUE(PathGlob("a[]x]").matches("/a]"));
  EXPECT_TRUE(PathGlob("a[[]b").matches("/a[b"));
  EXPECT_TRUE(PathGlob("a[x-]b").matches("/a-b"));
  EXPECT_FALSE(PathGlob("a[x-]b").matches("/ayb"));
}

TEST(PathGlob, RefusesWhatCanMatchNothingThatIsMeant) {
  for (const char* pattern : {"", "/", "./", ".", "..", "../lib", "a[", "a[]", "a[!]", "[a"})
    EXPECT_THROW(PathGlob{pattern}, PatternError) << pattern;
}

// A path of a trace may be whatever its writer liked.
TEST(PathGlob, ALongPathTakesNoLongTime) {
  std::string path, pattern;
  for (int i = 0; i < 30000; ++i) path += "/a";
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(PathGlob(pattern + "b").matches(path));
  EXPECT_FALSE(PathGlob("a/a/a/a/a/a/a/b").matches(path));
}

}  // namespace
}  // namespace syncsniff
