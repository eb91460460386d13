#include "instrument/timeline/launch_bursts.h"

#include <gtest/gtest.h>

#include <string>

#include "instrument/timeline/steps.h"
#include "tests/instrument/support.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kUs = 1000;

// Bursts of these sizes, one launch each 5 us, and a pause before each burst.
EnqueueWindow bursts_of(const std::vector<size_t>& sizes, uint64_t pause_us = 400) {
  EnqueueWindow window;
  uint64_t time = 0;
  for (const size_t size : sizes) {
    time += pause_us * kUs;
    for (size_t i = 0; i < size; ++i) window.push_back({0, EnqueueKind::kKernel, time += 5 * kUs});
  }
  return window;
}

TEST(LaunchBursts, PausesOfTheHostCutALoopOfLaunchesIntoSteps) {
  const auto bursts =
      find_launch_bursts({bursts_of(std::vector<size_t>(30, 10)), bursts_of(std::vector<size_t>(20, 10))});
  ASSERT_TRUE(bursts);
  EXPECT_EQ(bursts->launches, 10u);
  EXPECT_EQ(bursts->bursts, 28u + 18u) << "the first and the last of a window may be cut off";
  EXPECT_DOUBLE_EQ(bursts->alike, 1);
}

TEST(LaunchBursts, AFewBurstsMayDiffer) {
  std::vector<size_t> sizes(30, 10);
  sizes[5] = 14, sizes[20] = 3;
  const auto bursts = find_launch_bursts({bursts_of(sizes)});
  ASSERT_TRUE(bursts);
  EXPECT_EQ(bursts->launches, 10u);
  EXPECT_LT(bursts->alike, 1);
}

TEST(LaunchBursts, WithoutPausesThereAreNone) {
  EXPECT_FALSE(find_launch_bursts({bursts_of({300})}));
  EXPECT_FALSE(find_launch_bursts({bursts_of(std::vector<size_t>(30, 10), 15)})) << "15 us may be a full queue";
  EXPECT_FALSE(find_launch_bursts({}));
}

TEST(LaunchBursts, BurstsOfAllSizesAreNoSteps) {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < 40; ++i) sizes.push_back(5 + i % 11);
  EXPECT_FALSE(find_launch_bursts({bursts_of(sizes)}));
}

// 600 steps of 10 launches of one kernel from one line and a pause of 450 us; 100 of them lie in a window.
TEST(LaunchBursts, CountTheStepsOfARunThatNeverWaits) {
  std::string calls;
  const uint64_t begin = 100000 * kUs;
  uint64_t now = begin;
  for (int step = 0; step < 100; ++step, now += 450 * kUs) {
    calls += "chunk tid=1\n";
    for (int i = 0; i < 10; ++i, now += 5 * kUs)
      calls += "call api=1 class=launch flags=in-window stack=1 object=0x77 begin=" + std::to_string(now) +
               " duration=2000\n";
  }
  const auto trace = test::trace_of(
      "trace start=1 timeline=1 end=400000000\nchunk tid=1\napi id=1 text=\"cuLaunchKernel\"\n" +
      test::plain_stacks(2) + "window begin=" + std::to_string(begin) + " launches=2000 end=" + std::to_string(now) +
      "\n" + calls + "count api=1 class=launch stack=1 object=0x77 count=6000 first=50000000 last=350000000\n");
  const Steps steps = find_steps(trace, test::places_of(trace));
  ASSERT_TRUE(steps.found()) << steps.how;
  EXPECT_EQ(steps.seen, 600u);
  EXPECT_EQ(steps.median_ns, 500 * kUs);
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.how.find("bursts of 10 launches"), std::string::npos) << steps.how;
}

}  // namespace
}  // namespace syncsniff::timeline
