#include "instrument/timeline/anchor.h"

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

TEST(Anchor, IsTheFirstCallOfAPlainRepeat) {
  const auto anchor = find_anchor(sequence(repeat("abcd", 20)), {});
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->symbol, static_cast<uint32_t>('a'));
  EXPECT_EQ(anchor->begins.size(), 20u);
  EXPECT_DOUBLE_EQ(anchor->regularity, 1);
}

TEST(Anchor, StartUpAndGatedCallsDoNotHideIt) {
  const auto anchor = find_anchor(sequence("xyzxxqr" + repeat(repeat("abc", 10) + "v", 6)), {});
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->symbol, static_cast<uint32_t>('a'));
  EXPECT_EQ(anchor->begins.size(), 60u);
}

// Found on a PyTorch run: 2.8 s of start-up, a first step of 450 ms, then 98 steps of 3.5 ms.
TEST(Anchor, AStartUpLongerThanTheTrainingDoesNotHideIt) {
  std::vector<TimedSymbol> list;
  for (uint64_t i = 0; i < 14; ++i) list.push_back({'m', i * 10000});
  uint64_t time = 2800000000;
  for (int step = 0; step < 100; ++step) {
    for (char call : std::string("cin")) list.push_back({static_cast<uint32_t>(call), time += 100000});
    for (int i = 0; i < 12; ++i) list.push_back({'n', time += 20000});
    time += step == 0 ? 450000000 : 3000000;
  }
  const auto anchor = find_anchor(list, {});
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->symbol, static_cast<uint32_t>('c'));
  EXPECT_EQ(anchor->begins.size(), 100u);
  EXPECT_GT(anchor->regularity, 0.9);
}

TEST(Anchor, AnInnerLoopOfTwoCallsIsNotTheStep) {
  std::vector<TimedSymbol> list;
  uint64_t time = 0;
  for (int step = 0; step < 8; ++step) {
    for (int i = 0; i < 20; ++i) list.push_back({'t', time += 10}), list.push_back({'u', time += 10});
    list.push_back({'w', time += 5000});
    time += 5000;
  }
  const auto anchor = find_anchor(list, {});
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->begins.size(), 8u);
}

TEST(Anchor, OneCallAStepWithAGatedOneBesideIt) {
  const auto anchor = find_anchor(sequence("s" + repeat(repeat("i", 20) + "v", 3)), {});
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->symbol, static_cast<uint32_t>('i'));
  EXPECT_EQ(anchor->begins.size(), 60u);
}

// The inner loop takes nearly all of the time, but the kernels of the step are launched outside of it.
TEST(Anchor, AnInnerLoopThatLaunchesLittleIsNotTheStep) {
  std::vector<TimedSymbol> list;
  std::vector<TimedCount> launches;
  uint64_t time = 0;
  for (int step = 0; step < 8; ++step) {
    list.push_back({'w', time += 1000});
    launches.push_back({time + 1, 150});
    time += 3000;
    for (int i = 0; i < 50; ++i) {
      list.push_back({'n', time += 1000});
      launches.push_back({time - 500, 1});
    }
  }
  const auto anchor = find_anchor(list, launches);
  ASSERT_TRUE(anchor);
  EXPECT_EQ(anchor->begins.size(), 8u);
}

TEST(Anchor, FindsNoneInNoiseOrTooLittle) {
  EXPECT_FALSE(find_anchor({}, {}));
  EXPECT_FALSE(find_anchor(sequence("abab"), {}));
  EXPECT_FALSE(find_anchor(sequence("abcdefghijklmnop"), {}));
}

}  // namespace
}  // namespace syncsniff::timeline
