#include "analyzer/fixes/apply_edits.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace syncsniff::fixes {
namespace {

TEST(ApplyEdits, ReplacesInsertsAndDeletes) {
  EXPECT_EQ(apply_edits("0123456789", {{"", 0, 0, "<"}, {"", 2, 3, "xy"}, {"", 5, 1, ""}, {"", 10, 0, ">"}}),
            "<01xy6789>");
  EXPECT_EQ(apply_edits("a\r\nb\r\n", {{"", 3, 3, ""}}), "a\r\n");
  EXPECT_EQ(apply_edits("", {}), "");
}

TEST(ApplyEdits, RefusesWhatDoesNotFit) {
  EXPECT_THROW(apply_edits("abc", {{"", 4, 0, "x"}}), std::out_of_range);
  EXPECT_THROW(apply_edits("abc", {{"", 1, 3, "x"}}), std::out_of_range);
  EXPECT_THROW(apply_edits("abc", {{"", 1, 0xFFFFFFFF, "x"}}), std::out_of_range);
  EXPECT_THROW(apply_edits("abc", {{"", 0, 2, ""}, {"", 1, 1, ""}}), std::out_of_range);
}

TEST(Clash, OverlapsOnly) {
  auto edit = [](unsigned offset, unsigned length, const char* text = "") { return Edit{"f", offset, length, text}; };
  EXPECT_TRUE(clash(edit(0, 5), edit(4, 5)));
  EXPECT_TRUE(clash(edit(4, 5), edit(0, 5)));
  EXPECT_TRUE(clash(edit(0, 9), edit(3, 1)));
  EXPECT_TRUE(clash(edit(0, 9), edit(3, 0, "in")));
  EXPECT_TRUE(clash(edit(3, 0, "a"), edit(3, 0, "b")));
  EXPECT_TRUE(clash(edit(3, 2, "a"), edit(3, 2, "b")));
  EXPECT_FALSE(clash(edit(3, 2, "a"), edit(3, 2, "a")));
  EXPECT_FALSE(clash(edit(0, 5), edit(5, 5)));
  EXPECT_FALSE(clash(edit(0, 5), edit(5, 0, "behind")));
}

}  // namespace
}  // namespace syncsniff::fixes
