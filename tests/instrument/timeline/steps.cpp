#include "instrument/timeline/steps.h"

#include <gtest/gtest.h>

#include "instrument/timeline/sites.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

timeline::Steps steps_of(const std::string& text) {
  const auto trace = test::trace_of(text);
  return timeline::find_steps(trace, test::places_of(trace));
}

TEST(Steps, ByPeriodWithStartUpAndEvaluation) {
  const auto steps = steps_of(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt"));
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.median_ns, 1000000u);
  EXPECT_EQ(steps.regular.size(), 11u);  // from each anchor to the next: the twelfth has no end
  EXPECT_EQ(steps.seen, 12u);
  EXPECT_EQ(steps.how, "counted at train.cu:40");
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_FALSE(steps.contains(1200000));
  EXPECT_TRUE(steps.contains(steps.regular[3].begin));
}

timeline::Steps steps_of_twin(const char* name) {
  return steps_of(test::read_file(std::string(SYNCSNIFF_TWINS) + "/" + name));
}

// Warm-up and the rest reach the loop by two call paths: the line counts, not the stack.
TEST(Steps, OfARealCudaTrainer) {
  const auto steps = steps_of_twin("mlp_cuda.txt");
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.seen, 18u);
  EXPECT_EQ(steps.how, "counted at train.cu:53");
  EXPECT_EQ(steps.confidence, "high");
}

// 2.8 s of start-up, and a first step that loads code for 270 ms, before steps of 4 ms with an inner loop of 14 waits.
TEST(Steps, OfARealPyTorchTrainer) {
  const auto steps = steps_of_twin("mlp_pytorch.txt");
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.seen, 12u);
  EXPECT_EQ(steps.warm_up, 1u);
  EXPECT_EQ(steps.how, "counted at train_bad.py:26");
  EXPECT_LT(steps.median_ns, 6000000u);
}

// What the shim leaves of a program that waits for nothing: a marked copy a step, a burst behind it, and counts.
TEST(Steps, ByTheCopiesOfAProgramThatWaitsForNothing) {
  std::string text =
      "trace\nchunk tid=1\napi id=1 text=\"cuMemcpyHtoDAsync_v2\"\napi id=2 text=\"cuLaunchKernel\"\n"
      "count api=1 class=copy stack=1 count=20 total=20000 first=1000000 last=20000000\n"
      "count api=2 class=launch stack=2 count=100 total=100000 first=1000000 last=20900000\n";
  for (uint64_t begin = 1000000; begin <= 20000000; begin += 1000000) {
    const std::string at = std::to_string(begin), end = std::to_string(begin + 900000);
    if (begin > 1000000) text += "call api=1 class=copy stack=1 begin=" + at + " duration=1000\n";
    text += "burst launches=5 copies=1 begin=" + at + " end=" + end + " first_stack=1 last_stack=2\n";
  }
  const auto trace = test::trace_of(text);
  const auto places = test::places_of(trace);
  const auto steps = timeline::find_steps(trace, places);
  ASSERT_TRUE(steps.found()) << steps.how;
  EXPECT_EQ(steps.median_ns, 1000000u);
  EXPECT_GE(steps.regular.size(), 18u);
  for (const auto& site : timeline::build_strands(trace, places, steps)) {
    const bool copies = site.api == "cuMemcpyHtoDAsync_v2";
    EXPECT_EQ(site.run.calls, copies ? 20u : 0u) << "a mark is not counted twice";
    if (!copies) {
      EXPECT_EQ(site.stepping.launches, 5 * steps.regular.size());
    }
  }
}

// JAX: the program's thread launches a graph a step, and the threads of a pool take turns at reading the loss back.
TEST(Steps, ByTheGraphsOfAProgramWhoseReadBacksGoRoundAPool) {
  std::string threads[3] = {
      "chunk tid=1\napi id=1 text=\"cuMemcpyDtoHAsync_v2\"\napi id=2 text=\"cuGraphLaunch\"\n"
      "count api=2 class=launch stack=1 count=30 total=30000 first=1000000 last=30000000\n",
      "chunk tid=2\n", "chunk tid=3\n"};
  for (int step = 0; step < 30; ++step) {
    const int begin = 1000000 * (step + 1);
    const std::string at = std::to_string(begin), end = std::to_string(begin + 1000),
                      pool = std::to_string(begin + 5000);
    threads[0] += "call api=2 class=launch stack=1 begin=" + at + " duration=1000\n";
    threads[0] += "burst launches=1 begin=" + at + " end=" + end + " first_stack=1 last_stack=1\n";
    threads[1 + step % 2] += "call api=1 class=copy stack=2 begin=" + pool + " duration=1000\n";
  }
  const auto trace = test::trace_of("trace\n" + threads[0] + threads[1] + threads[2]);
  const auto places = test::places_of(trace);
  const auto steps = timeline::find_steps(trace, places);
  ASSERT_TRUE(steps.found()) << steps.how;
  EXPECT_EQ(steps.median_ns, 1000000u);
  EXPECT_EQ(steps.confidence, "high");
  for (const auto& site : timeline::build_strands(trace, places, steps))
    if (site.api == "cuGraphLaunch") {
      EXPECT_EQ(site.run.launches, 30u) << "a mark is not counted twice";
    }
}

TEST(Steps, LeadingStepsThatLoadCodeAreStartUp) {
  std::string text = "trace\nchunk tid=1\nstring id=1 text=\"step\"\ncall api=1 class=module begin=1500 duration=10\n";
  for (int begin = 1000; begin <= 9000; begin += 1000)
    text += "range name=1 begin=" + std::to_string(begin) + " end=" + std::to_string(begin + 900) + "\n";
  const auto steps = steps_of(text);
  EXPECT_EQ(steps.warm_up, 1u);
  EXPECT_EQ(steps.regular.front().begin, 2000u);
  EXPECT_TRUE(steps.before(1500));
  EXPECT_FALSE(steps.before(2000));
  EXPECT_TRUE(steps.after(9950));
}

TEST(Steps, NvtxRangesComeFirst) {
  std::string text =
      "trace\nchunk tid=1\nstring id=1 text=\"train\"\nstring id=2 text=\"step\"\nstring id=3 text=\"forward\"\n";
  text += "range depth=0 name=1 begin=1 end=9000\n";
  for (int i = 0; i < 5; ++i) {
    const std::string begin = std::to_string(1000 + 1000 * i), end = std::to_string(1900 + 1000 * i);
    text += "range depth=2 name=3 begin=" + begin + " end=" + end + "\nrange depth=1 name=2 begin=" + begin +
            " end=" + end + "\n";
  }
  const auto steps = steps_of(text);
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.how, "NVTX range 'step'");
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_EQ(steps.regular.size(), 5u);
  EXPECT_EQ(steps.median_ns, 1000u);
}

TEST(Steps, ALongOneIsLeftOut) {
  std::string text = "trace\nchunk tid=1\nstring id=1 text=\"step\"\n";
  for (int begin : {1000, 2000, 3000, 4000, 9000, 10000})
    text += "range name=1 begin=" + std::to_string(begin) + " end=" + std::to_string(begin + 900) + "\n";
  const auto steps = steps_of(text);
  EXPECT_EQ(steps.regular.size(), 5u);
  EXPECT_EQ(steps.irregular, 1u);
  EXPECT_FALSE(steps.contains(6000));
}

// Some steps take 20 ms and the others 1 ms. `launches`: of a long step; the others make 10. 0: all launches of the run
// are in one burst.
timeline::Steps with_long_ones(int count, bool (*is_long)(int), int launches) {
  std::string text = "trace\nchunk tid=1\nstring id=1 text=\"step\"\napi id=1 text=\"cuStreamSynchronize\"\n";
  uint64_t now = 1000000;
  if (launches == 0) text += "burst launches=1000 begin=1000000 end=" + std::to_string(count * 3000000) + "\n";
  for (int i = 0; i < count; ++i) {
    if (i % 300 == 299) text += "chunk tid=1 sequence=" + std::to_string(i / 300 + 1) + "\n";
    const uint64_t length = is_long(i) ? 20000000 : 1000000;
    const std::string begin = std::to_string(now);
    text += "range name=1 begin=" + begin + " end=" + std::to_string(now + 900000) + "\n";
    if (launches != 0)
      text += "burst launches=" + std::to_string(is_long(i) ? launches : 10) + " begin=" + std::to_string(now + 1000) +
              " end=" + std::to_string(now + 800000) + "\n";
    text += "call api=1 class=wait flags=blocked stack=1 begin=" + std::to_string(now + 850000) + " duration=1000\n";
    now += length;
  }
  return steps_of(text);
}

// Four workers of a loader deliver their batches at once.
timeline::Steps in_bursts(int launches) {
  return with_long_ones(40, [](int i) { return i % 4 == 3; }, launches);
}

// Now and then a loader's workers all need long for their batches.
bool comes_any_time(int i) { return i % 41 == 5 || i % 67 == 12; }

TEST(Steps, FewLongOnesThatCostMuchAndComeAnyTimeAreSteps) {
  const auto steps = with_long_ones(400, comes_any_time, 10);
  EXPECT_EQ(steps.irregular, 0u);
  EXPECT_EQ(steps.uneven, 16u);
  EXPECT_NEAR(steps.typical_ns(), 1.76e6, 0.1e6);
}

TEST(Steps, WhereLaunchesOfLongOnesAreNotKnownTheirTimesDecide) {
  EXPECT_EQ(with_long_ones(400, comes_any_time, 0).uneven, 16u);
  EXPECT_EQ(with_long_ones(400, [](int i) { return i % 25 == 24; }, 0).uneven, 0u);
}

TEST(Steps, LongOnesWithAPeriodHoldACheckpoint) {
  const auto steps = with_long_ones(400, [](int i) { return i % 25 == 24; }, 10);
  EXPECT_EQ(steps.uneven, 0u);
  EXPECT_EQ(steps.irregular, 15u);
}

TEST(Steps, LongOnesInOnePartOfTheRunAreLeftOut) {
  EXPECT_EQ(with_long_ones(400, [](int i) { return i < 200 && comes_any_time(i); }, 10).uneven, 0u);
}

TEST(Steps, ThatTakeTurnsAreToldByTheirMean) {
  std::string text = "trace\nchunk tid=1\nstring id=1 text=\"step\"\n";
  uint64_t now = 1000000;
  for (int i = 0; i < 60; ++i) {
    text += "range name=1 begin=" + std::to_string(now) + " end=" + std::to_string(now + 900000) + "\n";
    now += i % 5 < 2 ? 2800000 : 1000000;
  }
  const auto steps = steps_of(text);
  EXPECT_EQ(steps.uneven, 0u);
  EXPECT_TRUE(steps.differ());
  EXPECT_NEAR(steps.typical_ns(), 1.72e6, 0.05e6);
}

TEST(Steps, ManyLongOnesThatLaunchNoMoreAreSteps) {
  const auto steps = in_bursts(10);
  EXPECT_EQ(steps.irregular, 0u);
  EXPECT_EQ(steps.uneven, 9u) << "the last one's end is not known";
  EXPECT_EQ(steps.median_ns, 1000000u);
  EXPECT_NEAR(static_cast<double>(steps.regular_ns()) / static_cast<double>(steps.regular.size()), 5.4e6, 0.3e6);
}

TEST(Steps, ManyLongOnesThatLaunchMoreHoldAValidation) {
  const auto steps = in_bursts(30);
  EXPECT_EQ(steps.uneven, 0u);
  EXPECT_EQ(steps.irregular, 9u);
}

TEST(Steps, NoneRatherThanAGuess) {
  const auto steps =
      steps_of("trace\nchunk tid=1\ncall api=1 class=wait stack=1 begin=5\ncall api=2 class=wait stack=2 begin=9\n");
  EXPECT_FALSE(steps.found());
  EXPECT_FALSE(steps.how.empty());
}

// A repaired trainer: kernels of several hundred steps in one burst, and few other calls.
std::string repaired(const std::string& loads) {
  return "trace start=1 end=900000000\nchunk tid=1\n" + test::plain_stacks(9) + loads +
         "burst launches=20 begin=1000 end=40000000 first_stack=2 last_stack=2\n"
         "burst launches=4000 begin=41000000 end=800000000 first_stack=3 last_stack=3\n"
         "call api=2 class=wait flags=blocked stack=4 begin=800000100 duration=50000000\n";
}

TEST(Steps, LoadsAndAllocationsAreNoAnchors) {
  for (const char* kind : {"module", "allocate", "free"}) {
    std::string calls;
    for (int i = 1; i <= 8; ++i)
      calls += "call api=1 class=" + std::string(kind) + " stack=1 begin=" + std::to_string(100000000 * i) +
               " duration=3000000\n";
    const auto steps = steps_of(repaired(calls));
    EXPECT_FALSE(steps.found()) << kind << ": " << steps.how;
    EXPECT_EQ(steps.how, "nothing in this run waits for the GPU often enough to count steps by");
  }
}

TEST(Steps, RegularWaitsOutsideTheWorkAreNoSteps) {
  std::string calls;
  for (int i = 1; i <= 8; ++i)
    calls += "call api=1 class=wait stack=1 begin=" + std::to_string(5000000 * i) + " duration=3000000\n";
  const auto steps = steps_of(repaired(calls));
  EXPECT_FALSE(steps.found()) << steps.how;
  EXPECT_EQ(steps.how, "no NVTX range and no line repeats regularly");
}

// A framework's fit(): three waits a step, all at one line of the program's own, at unequal distances.
TEST(Steps, ByTheCallPathWhereOneLineHidesTheLoop) {
  std::string text = "trace\nchunk tid=1\nmodule bias=0x10000 begin=0x10000 end=0x90000 path=\"/home/u/train\"\n";
  for (int i = 1; i <= 3; ++i) {
    const std::string address = "0x10" + std::to_string(i) + "00";
    text += "stack id=" + std::to_string(i) + " native=" + address + "\nsymbol address=" + address +
            " line=35 function=\"fit()\" file=\"/home/u/src/train.cu\"\n" +
            "count api=2 class=launch stack=" + std::to_string(i) + " count=200 first=1000 last=1999000 object=7\n";
  }
  for (int step = 0; step < 200; ++step)
    for (int wait = 1; wait <= 3; ++wait)
      text += "call api=1 class=wait flags=blocked stack=" + std::to_string(wait) +
              " begin=" + std::to_string(10000 * step + 300 * wait * wait) + " duration=100\n";
  const auto steps = steps_of(text);
  EXPECT_EQ(steps.seen, 200u);
  EXPECT_EQ(steps.median_ns, 10000u);
  EXPECT_EQ(steps.how, "counted at train.cu:35");
}

TEST(Steps, EachThreadHasItsOwnSequence) {
  std::string a = "chunk tid=1\n", b = "chunk tid=2\n";
  for (int i = 0; i < 30; ++i) {
    a += "call api=1 class=wait stack=1 begin=" + std::to_string(10000 * i) +
         "\ncall api=1 class=copy stack=2 begin=" + std::to_string(10000 * i + 500) + "\n";
    if (i % 7 == 0)
      b += "call api=1 class=wait stack=" + std::to_string(3 + i) + " begin=" + std::to_string(10000 * i + 250) + "\n";
  }
  const auto steps = steps_of("trace\n" + a + b);
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.median_ns, 10000u);
  EXPECT_EQ(steps.confidence, "high");
}

// JAX copies a first batch, compiles for seconds, and then trains.
TEST(Steps, AFarShorterOneBeforeACompilationIsWarmUp) {
  constexpr uint64_t kMs = 1000000;
  std::vector<timeline::Interval> all{{0, kMs}, {kMs, 3000 * kMs}};
  for (uint64_t i = 0; i < 40; ++i) all.push_back({(3000 + 80 * i) * kMs, (3080 + 80 * i) * kMs});
  timeline::Steps steps;
  timeline::keep_regular(test::trace_of("trace\n"), all, steps);
  ASSERT_TRUE(steps.found());
  EXPECT_EQ(steps.warm_up, 2u);
  EXPECT_EQ(steps.regular.front().begin, 3000 * kMs);
  EXPECT_EQ(steps.irregular, 0u);
}

}  // namespace
}  // namespace syncsniff
