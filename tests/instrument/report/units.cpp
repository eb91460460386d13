#include "instrument/report/units.h"

#include <gtest/gtest.h>

#include "instrument/report/terminal_table.h"

namespace syncsniff::report {
namespace {

TEST(Units, TimesHaveThreeDigits) {
  EXPECT_EQ(format_time(0), "0");
  EXPECT_EQ(format_time(999), "999 ns");
  EXPECT_EQ(format_time(1234), "1.23 us");
  EXPECT_EQ(format_time(9996), "10.0 us");
  EXPECT_EQ(format_time(999499), "999 us");
  EXPECT_EQ(format_time(999500), "1.00 ms");
  EXPECT_EQ(format_time(45700000), "45.7 ms");
  EXPECT_EQ(format_time(61200000000), "61.2 s");
}

TEST(Units, CountsAndShares) {
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(9), "9");
  EXPECT_EQ(format_count(2.25), "2.2");
  EXPECT_EQ(format_count(0.05), "0.05");
  EXPECT_EQ(format_share(1, 3), "33.3 %");
  EXPECT_EQ(format_share(1, 0), "");
}

TEST(Layout, WrapsWithinTheWidth) {
  const auto lines = wrap("one two " + std::string(30, 'x') + " three", 2, 12);
  for (const auto& line : lines) EXPECT_LE(line.size(), 12u) << line;
  EXPECT_EQ(lines.front(), "  one two");
  EXPECT_EQ(lines.back(), "  three");
  EXPECT_EQ(keep_tail("a/long/path.cu:12", 10), "...h.cu:12");
}

}  // namespace
}  // namespace syncsniff::report
