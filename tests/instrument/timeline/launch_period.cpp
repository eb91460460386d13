#include "instrument/timeline/launch_period.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace syncsniff::timeline {
namespace {

constexpr uint32_t kForward = 0, kBackward = 100, kOptimizer = 200, kValidation = 300, kOther = 400;

// A program's launches, one after the other.
class Program {
 public:
  Program& launch(uint32_t symbol, EnqueueKind kind = EnqueueKind::kKernel, bool optimizer = false) {
    window_.push_back({symbol, kind, time_ += 10, optimizer});
    return *this;
  }
  // One launch for each of 12 parameters, known to be an optimizer's.
  Program& optimize(uint32_t first = kOptimizer) {
    for (int i = 0; i < 12; ++i) launch(first, EnqueueKind::kKernel, true);
    return *this;
  }
  // `symbols` different ones, each `times` times in all, as a loop over them.
  Program& block(uint32_t first, uint32_t symbols, int times = 1) {
    for (int i = 0; i < times; ++i)
      for (uint32_t symbol = 0; symbol < symbols; ++symbol) launch(first + symbol);
    return *this;
  }
  Program& micro_batch(bool adds) {
    block(kForward, 20).block(kBackward, 30);
    return adds ? block(kOther, 1, 8) : *this;
  }
  Program& step() { return block(kForward, 20).block(kBackward, 30).block(kOptimizer, 6, 12); }
  std::optional<LaunchPeriod> period() const { return find_launch_period({window_}); }
  const EnqueueWindow& window() const { return window_; }

 private:
  EnqueueWindow window_;
  uint64_t time_ = 0;
};

bool is_in(uint32_t symbol, uint32_t first, uint32_t number) { return symbol >= first && symbol < first + number; }

TEST(LaunchPeriod, OfAPlainTrainingLoop) {
  Program program;
  for (int i = 0; i < 40; ++i) program.step();
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 39u);
  EXPECT_EQ(period->once.size(), 50u) << "all but the optimizer's, which come once a parameter";
  EXPECT_EQ(period->enqueues, 122u);
  EXPECT_DOUBLE_EQ(period->alike, 1);
  EXPECT_GT(period->covers, 0.95);
  EXPECT_EQ(period->doubt, PeriodDoubt::kNone);
}

// Start-up launches what no step launches, and the first steps try algorithms.
TEST(LaunchPeriod, WarmUpDoesNotHideIt) {
  Program program;
  for (uint32_t i = 0; i < 500; ++i) program.launch(kOther + i % 90);
  for (uint32_t i = 0; i < 3; ++i) program.block(kOther + 100, 40, 5).step();
  for (int i = 0; i < 30; ++i) program.step();
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_TRUE(is_in(period->symbol, kForward, 20) || is_in(period->symbol, kBackward, 30));
  EXPECT_EQ(period->segments, 32u);
  EXPECT_EQ(period->each, 1u);
}

TEST(LaunchPeriod, WithGradientAccumulationIsTheOptimizersStep) {
  for (const bool adds : {false, true}) {
    Program program;
    for (int i = 0; i < 40; ++i) {
      program.micro_batch(adds && i % 4 != 0);
      if (i % 4 == 3) program.block(kOptimizer, 6, 12);
    }
    const auto period = program.period();
    ASSERT_TRUE(period);
    EXPECT_EQ(period->each, 4u);
    EXPECT_EQ(period->segments, 39u);
    EXPECT_EQ(period->doubt, PeriodDoubt::kAccumulates);
    EXPECT_EQ(period->other_every, 4u);
  }
}

// One fused kernel is all that the optimizer launches: only the gradients that are added to say so.
TEST(LaunchPeriod, WithGradientAccumulationAndAFusedOptimizer) {
  Program program;
  for (int i = 0; i < 48; ++i) {
    program.micro_batch(i % 4 != 0);
    if (i % 4 == 3) program.launch(kOptimizer);
  }
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->each, 4u);
}

TEST(LaunchPeriod, LoggingIsNoStep) {
  for (const bool kernels : {false, true}) {
    Program program;
    for (int i = 0; i < 60; ++i) {
      program.step();
      if (i % 5 == 4) program.launch(kOther, kernels ? EnqueueKind::kKernel : EnqueueKind::kOther);
    }
    const auto period = program.period();
    ASSERT_TRUE(period);
    EXPECT_EQ(period->each, 1u);
    EXPECT_EQ(period->segments, 59u);
    EXPECT_EQ(period->doubt, kernels ? PeriodDoubt::kEndsApart : PeriodDoubt::kNone) << "a kernel may be an optimizer";
  }
}

// A validation repeats more perfectly than the training does, and may be longer.
TEST(LaunchPeriod, ValidationIsNoStep) {
  for (const int batches : {3, 40, 80}) {
    Program program;
    for (int i = 0; i < 60; ++i) {
      program.step();
      if (i % 20 == 19) program.block(kValidation, 20, batches);
    }
    const auto period = program.period();
    ASSERT_TRUE(period);
    EXPECT_EQ(period->each, 1u);
    EXPECT_EQ(period->segments, 59u) << batches;
  }
}

TEST(LaunchPeriod, OfAWindowThatHoldsValidationAlone) {
  Program training, validation;
  for (int i = 0; i < 30; ++i) training.step();
  validation.block(kValidation, 20, 60);
  const auto period = find_launch_period({training.window(), validation.window()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 29u);
}

TEST(LaunchPeriod, OfAGraphAStep) {
  Program program;
  for (int i = 0; i < 50; ++i) {
    program.launch(1, EnqueueKind::kOther).launch(2, EnqueueKind::kGraph);
    if (i % 10 == 9) program.launch(3, EnqueueKind::kOther);
  }
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 49u);
  EXPECT_EQ(period->each, 1u) << "what is read back now and then is logging";
  EXPECT_EQ(period->doubt, PeriodDoubt::kNone);
}

// A loop over layers, with nothing between two of them, looks like a loop over steps; the longer period is the step.
TEST(LaunchPeriod, LayersAreNoSteps) {
  Program few, many;
  for (int i = 0; i < 30; ++i) {
    few.block(kForward, 4, 10).launch(kOther);
    many.launch(kOther).block(kForward, 12, 8).block(kBackward, 14, 8).block(kOptimizer, 5);
  }
  const auto of_few = few.period(), of_many = many.period();
  ASSERT_TRUE(of_few && of_many);
  EXPECT_EQ(of_few->segments / of_few->each, 29u);
  EXPECT_EQ(of_many->segments, 29u);
  EXPECT_EQ(of_many->each, 1u);
}

// The thread of the backward pass and the one that loads run beside the main thread: their launches come now earlier,
// now later.
TEST(LaunchPeriod, OfThreadsThatOvertakeEachOther) {
  Program program;
  for (int i = 0; i < 60; ++i) {
    program.block(kForward, 10);
    if (i % 3 == 0) program.block(kOther, 2);
    program.block(kForward + 10, 10).block(kBackward, 30);
    if (i % 3 != 0) program.block(kOther, 2);
    program.block(kOptimizer, 6, 12);
  }
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 59u);
  EXPECT_EQ(period->each, 1u);
}

// The validation's launches are as many kinds as the step's own: only the optimizer says what a step is.
TEST(LaunchPeriod, AnEpochIsNoStepWhereTheOptimizerIsKnown) {
  Program program, unknown;
  for (int i = 0; i < 200; ++i) {
    program.block(kForward, 6, 2).block(kBackward, 12).optimize();
    unknown.block(kForward, 6, 2).block(kBackward, 12).block(kOptimizer, 1, 12);
    if (i % 20 != 19) continue;
    program.block(kValidation, 20, 5);
    unknown.launch(kOther).block(kValidation, 20, 5);
  }
  const auto period = program.period(), guessed = unknown.period();
  ASSERT_TRUE(period && guessed);
  EXPECT_EQ(period->segments, 199u);
  EXPECT_TRUE(period->by_optimizer);
  EXPECT_EQ(period->doubt, PeriodDoubt::kNone);
  EXPECT_EQ(guessed->segments, 9u);
  EXPECT_EQ(guessed->doubt, PeriodDoubt::kHoldsRepeats) << "the figures must not be told as sure";
  EXPECT_EQ(guessed->other_every, 22u) << "199 in 9, rounded";
}

TEST(LaunchPeriod, AMicroBatchIsNoStepWhereTheOptimizerIsKnown) {
  Program program;
  for (int i = 0; i < 80; ++i) {
    program.micro_batch(i % 4 != 0);
    if (i % 4 == 3) program.launch(kOptimizer, EnqueueKind::kKernel, true);
  }
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 19u);
  EXPECT_EQ(period->each, 1u);
}

TEST(LaunchPeriod, TwoOptimizersAStepAreOneStep) {
  Program program;
  for (int i = 0; i < 40; ++i)
    program.block(kForward, 20)
        .block(kBackward, 30)
        .optimize()
        .block(kOther, 25)
        .block(kOther + 50, 25)
        .optimize(kOptimizer + 1);
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 39u);
  EXPECT_TRUE(period->by_optimizer);
}

// TD3 updates its actor and its target networks every second step, a Wasserstein GAN its generator every fifth.
TEST(LaunchPeriod, AnOptimizerThatStepsSeldomDoesNotMakeTheStep) {
  for (const int every : {2, 5}) {
    Program program;
    for (int i = 0; i < 60; ++i) {
      program.block(kForward, 20).block(kBackward, 30).optimize();
      if (i % every == every - 1) program.block(kOther, 25).block(kOther + 50, 25).optimize(kOptimizer + 1);
    }
    const auto period = program.period();
    ASSERT_TRUE(period);
    EXPECT_EQ(period->segments, 59u) << every;
    EXPECT_TRUE(period->by_optimizer);
  }
}

// Steps of half a second: a window holds two or three whole ones, and parts of others.
TEST(LaunchPeriod, OfAnOptimizerInWindowsThatHoldFewSteps) {
  std::vector<EnqueueWindow> windows;
  for (int w = 0; w < 5; ++w) {
    Program program;
    program.block(kBackward + 5, 25).optimize();
    for (int i = 0; i < 2 + w % 2; ++i) program.block(kForward, 20).block(kBackward, 30).optimize();
    program.block(kForward, 18);
    windows.push_back(program.window());
  }
  const auto period = find_launch_period(windows);
  ASSERT_TRUE(period);
  EXPECT_TRUE(period->by_optimizer);
  EXPECT_EQ(period->each, 1u);
}

// The discriminator's step and the generator's launch from lines of their own: neither holds the other.
TEST(LaunchPeriod, TwoOptimizersInTurnAreOneStepThoughTheBackwardPassIsOnePlace) {
  Program program;
  for (int i = 0; i < 40; ++i)
    program.block(kForward, 20)
        .block(kBackward, 8)
        .optimize()
        .block(kOther, 25)
        .block(kBackward, 8)
        .optimize(kOptimizer + 1);
  const auto period = program.period();
  ASSERT_TRUE(period);
  EXPECT_EQ(period->segments, 39u);
}

TEST(LaunchPeriod, IsNoneWhereNothingRepeats) {
  Program none, once, noise, one;
  for (int i = 0; i < 300; ++i) one.launch(7);
  for (uint32_t i = 0; i < 300; ++i) once.launch(i);
  uint32_t random = 1;
  for (int i = 0; i < 4000; ++i) noise.launch((random = random * 1664525u + 1013904223u) >> 26);
  EXPECT_FALSE(none.period());
  EXPECT_FALSE(once.period());
  EXPECT_FALSE(noise.period());
  EXPECT_FALSE(one.period()) << "one kernel alone tells of no step";
  EXPECT_FALSE(find_launch_period({}));
}

TEST(LaunchPeriod, TakesBoundedTime) {
  Program same, distinct, growing;
  for (uint32_t i = 0; i < 1000000; ++i) same.launch(0), distinct.launch(i / 5);
  for (uint32_t symbol = 0; symbol < 1200; ++symbol)
    for (uint32_t i = 0; i < symbol; ++i) growing.launch(symbol);
  std::vector<EnqueueWindow> tiny(100000, EnqueueWindow{{0, EnqueueKind::kKernel, 1}});
  const auto begin = std::chrono::steady_clock::now();
  for (const Program* program : {&same, &distinct, &growing}) program->period();
  find_launch_period(tiny);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "also in a debug build";
}

}  // namespace
}  // namespace syncsniff::timeline
