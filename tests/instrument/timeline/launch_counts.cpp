#include "instrument/timeline/launch_counts.h"

#include <gtest/gtest.h>

#include <string>

#include "instrument/timeline/steps.h"
#include "tests/instrument/support.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kMs = 1000000, kEnd = 10000 * kMs;

// Counts of launches in a run of 10 s.
class Counts {
 public:
  Counts& add(size_t kinds, uint64_t count, uint64_t first_ns = 1000 * kMs, uint64_t last_ns = 9990 * kMs) {
    for (size_t i = 0; i < kinds; ++i)
      text_ += "count api=1 class=launch stack=1 count=" + std::to_string(count) +
               " first=" + std::to_string(first_ns) + " last=" + std::to_string(last_ns) +
               " object=" + std::to_string(++objects_) + "\n";
    return *this;
  }
  // The same kinds as each time before.
  Counts& add_again(size_t kinds, uint64_t count) {
    objects_ = 0;
    return add(kinds, count);
  }
  reader::Trace trace(const std::string& calls = "") const {
    return test::trace_of("trace start=1 timeline=1 end=" + std::to_string(kEnd) +
                          "\nchunk tid=1\napi id=1 text=\"cuLaunchKernel\"\napi id=2 text=\"cuCtxSynchronize\"\n" +
                          test::plain_stacks(2) + calls + text_);
  }

 private:
  std::string text_;
  size_t objects_ = 0;
};

TEST(CommonLaunches, AreTheNumberThatMostKindsShare) {
  const auto steps =
      count_common_launches(Counts().add(30, 60).add(10, 59).add(24, 480).add(50, 1).add(3, 12).trace(), 0);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->count, 60u);
  EXPECT_EQ(steps->period.kinds, 40) << "the run may have ended within a step";
  EXPECT_EQ(steps->mean_ns, (9990 - 1000) * kMs / 59);
}

TEST(CommonLaunches, OfAStartUpDoNotCount) {
  const auto steps = count_common_launches(Counts().add(100, 7, 0, 3000 * kMs).add(12, 60, 5000 * kMs).trace(), 0);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->count, 60u);
}

TEST(CommonLaunches, OfFewKindsOrOfAnotherDeviceAreNone) {
  EXPECT_FALSE(count_common_launches(Counts().add(7, 60).trace(), 0));
  EXPECT_FALSE(count_common_launches(Counts().add(40, 60).trace(), 1));
  EXPECT_FALSE(count_common_launches(Counts().add(40, 2).trace(), 0)) << "two are no steps";
  EXPECT_FALSE(count_common_launches(Counts().trace(), 0));
}

// K-means over 192 centres that asks for each centre's size: 17 kinds of launches come once for all centres.
TEST(RarerLaunches, AreOfTheLoopAroundTheSteps) {
  const auto rarer = find_rarer_launches(Counts().add(19, 7680).add(17, 40).trace(), 0, 7680);
  ASSERT_TRUE(rarer);
  EXPECT_EQ(rarer->count, 40u);
  EXPECT_EQ(rarer->every, 192u);
  EXPECT_EQ(rarer->kinds, 17u);
  EXPECT_TRUE(find_rarer_launches(Counts().add(19, 7679).add(17, 40).trace(), 0, 7679)) << "the last step is cut off";
}

TEST(RarerLaunches, ThatLogOrWarmUpAreNone) {
  EXPECT_FALSE(find_rarer_launches(Counts().add(19, 800).add(2, 80).trace(), 0, 800)) << "a logged mean";
  EXPECT_FALSE(find_rarer_launches(Counts().add(80, 800).add(5, 80).trace(), 0, 800)) << "few beside a step's own";
  EXPECT_FALSE(find_rarer_launches(Counts().add(19, 320).add(49, 4, 0, 500 * kMs).trace(), 0, 320)) << "a warm-up";
  EXPECT_FALSE(find_rarer_launches(Counts().add(19, 800).add(17, 37).trace(), 0, 800)) << "no fraction of the steps";
}

TEST(CommonLaunches, OfADamagedTraceAreNone) {
  EXPECT_FALSE(count_common_launches(Counts().add(12, 1000000000000).trace(), 0));
}

// Each thread has a record of its own.
TEST(RarerLaunches, OfSeveralThreadsAreOneKind) {
  Counts counts;
  for (int thread = 0; thread < 8; ++thread) counts.add_again(6, 90);
  EXPECT_FALSE(find_rarer_launches(counts.trace(), 0, 720));
}

// 360 waits, and 16 kinds of launches that come once in 90 of them.
TEST(RarerLaunches, MakeTheStepsDoubtfulUnlessRangesMarkThem) {
  std::string calls, ranges = "string id=1 text=\"step\"\n";
  for (uint64_t i = 0; i < 360; ++i) {
    const uint64_t begin = 1000 * kMs + 20 * i * kMs;
    calls += "call api=2 class=wait flags=blocked stack=2 begin=" + std::to_string(begin) + " duration=500000\n";
    ranges += "range name=1 begin=" + std::to_string(begin) + " end=" + std::to_string(begin + 19 * kMs) + "\n";
  }
  const auto find = [&](const Counts& counts, const std::string& more = "") {
    const auto trace = counts.trace(calls + more);
    return find_steps(trace, test::places_of(trace), {});
  };
  const Steps sure = find(Counts().add(20, 360)), doubtful = find(Counts().add(20, 360).add(16, 4)),
              marked = find(Counts().add(20, 360).add(16, 4), ranges);
  ASSERT_TRUE(sure.found() && doubtful.found() && marked.found());
  EXPECT_EQ(sure.confidence, "high");
  EXPECT_EQ(sure.doubt, "");
  EXPECT_EQ(doubtful.confidence, "fair");
  EXPECT_NE(doubtful.doubt.find("16 kinds of launches come 4 times, once in 90 of these steps"), std::string::npos)
      << doubtful.doubt;
  EXPECT_EQ(marked.how, "NVTX range 'step'");
  EXPECT_EQ(marked.confidence, "high");
  EXPECT_EQ(marked.doubt, "");
}

}  // namespace
}  // namespace syncsniff::timeline
