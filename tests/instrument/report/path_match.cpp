#include "instrument/report/path_match.h"

#include <gtest/gtest.h>

namespace syncsniff::report {
namespace {

TEST(PathMatch, LongestCommonSuffixOfComponents) {
  EXPECT_EQ(common_suffix("/home/a/proj/src/train.cu", "src/train.cu"), 2);
  EXPECT_EQ(common_suffix("/build/./src/../src/train.cu", "/ci/src/train.cu"), 2);
  EXPECT_EQ(common_suffix("train.cu", "/x/train.cu"), 1);
  EXPECT_EQ(common_suffix("/x/mytrain.cu", "train.cu"), 0);
  EXPECT_EQ(common_suffix("a/train.cu", "a/train.cpp"), 0);
  EXPECT_EQ(common_suffix("", "train.cu"), 0);
  EXPECT_EQ(common_suffix("../train.cu", "/p/train.cu"), 1);
}

}  // namespace
}  // namespace syncsniff::report
