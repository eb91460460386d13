#include "analyzer/output/conditional_lines.h"

#include <gtest/gtest.h>

namespace syncsniff::output {
namespace {

using Blocks = std::vector<std::pair<unsigned, unsigned>>;

Blocks blocks(const std::string& text) { return conditional_lines(SourceText(text)); }

TEST(ConditionalLines, AreBlocksOfIf) {
  EXPECT_EQ(blocks("a\n#if X\nb\n#endif\nc\n"), (Blocks{{2, 4}}));
  EXPECT_EQ(blocks("  #  ifdef X\n#else\n # endif\n#ifndef Y\n#elif Z\n#endif\n"), (Blocks{{1, 3}, {4, 6}}));
}

TEST(ConditionalLines, AnOutermostBlockHoldsThoseInIt) {
  EXPECT_EQ(blocks("#if A\n#if B\n#endif\nx\n#endif\ny\n"), (Blocks{{1, 5}}));
}

TEST(ConditionalLines, AnIncludeGuardIsNone) {
  EXPECT_EQ(blocks("// c\n#ifndef A_H\n#define A_H\nx\n#if B\ny\n#endif\n#endif  // A_H\n"), (Blocks{{5, 7}}));
  EXPECT_EQ(blocks("#ifndef A\n#define B\nx\n#endif\n"), (Blocks{{1, 4}}));
  EXPECT_EQ(blocks("#if C\n#ifndef A\n#define A\n#endif\n#endif\n"), (Blocks{{1, 5}}));
}

TEST(ConditionalLines, CommentsAndLooseEndsAreNone) {
  EXPECT_EQ(blocks("/*\n#if X\n*/\nx\n#endif\n"), Blocks{});
  EXPECT_EQ(blocks("// #if X\ny\n"), Blocks{});
  EXPECT_EQ(blocks("x\n#if X\ny\nz\n"), (Blocks{{2, 4}}));
  EXPECT_EQ(blocks(""), Blocks{});
}

}  // namespace
}  // namespace syncsniff::output
