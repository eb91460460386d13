#include "instrument/timeline/period.h"

#include <gtest/gtest.h>

#include <string>

namespace syncsniff::timeline {
namespace {

// One letter a symbol, `spacing` ns apart.
std::vector<TimedSymbol> sequence(const std::string& letters, uint64_t spacing = 1000) {
  std::vector<TimedSymbol> list;
  for (size_t i = 0; i < letters.size(); ++i) list.push_back({static_cast<uint32_t>(letters[i]), i * spacing});
  return list;
}

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Period, FindsAPlainRepeat) {
  const auto period = find_period(sequence(repeat("abcd", 20)));
  ASSERT_TRUE(period);
  EXPECT_EQ(period->length, 4u);
  EXPECT_DOUBLE_EQ(period->match, 1);
  EXPECT_FALSE(period->ambiguous);
}

TEST(Period, StartUpAndGatedCallsDoNotHideIt) {
  const auto period = find_period(sequence("xyzxxqr" + repeat(repeat("abc", 10) + "v", 6)));
  ASSERT_TRUE(period);
  EXPECT_EQ(period->length, 3u);
}

TEST(Period, AnInnerLoopOfOneCallCountsOnce) {
  std::vector<TimedSymbol> list;
  uint64_t time = 0;
  for (int step = 0; step < 8; ++step) {
    for (int i = 0; i < 50; ++i) list.push_back({'t', time += 10});
    list.push_back({'w', time += 5000});
    time += 5000;
  }
  const auto period = find_period(list);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->length, 2u);
}

TEST(Period, OneCallAStep) {
  const auto period = find_period(sequence("s" + repeat(repeat("i", 20) + "v", 3)));
  ASSERT_TRUE(period);
  EXPECT_EQ(period->length, 1u);
  EXPECT_EQ(period->anchor, static_cast<uint32_t>('i'));
}

TEST(Period, FindsNoneInNoiseOrTooLittle) {
  EXPECT_FALSE(find_period({}));
  EXPECT_FALSE(find_period(sequence("abab")));
  EXPECT_FALSE(find_period(sequence("abcdefghijklmnop")));
  std::string noise;
  unsigned state = 1;
  for (int i = 0; i < 500; ++i) noise += static_cast<char>('a' + ((state = state * 1103515245 + 12345) >> 16) % 20);
  EXPECT_FALSE(find_period(sequence(noise)));
}

}  // namespace
}  // namespace syncsniff::timeline
