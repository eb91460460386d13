// Is a difference of step times more than their noise?
#include "instrument/compare/median_change.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace syncsniff::compare {
namespace {

// Steps around `level`; each is `memory` like the one before it, as clocks and neighbours on a machine make them.
std::vector<double> steps(size_t count, double level, double noise, double memory, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  double state = normal(random);
  for (size_t i = 0; i < count; ++i) {
    values.push_back(level * (1 + noise * state));
    state = memory * state + std::sqrt(1 - memory * memory) * normal(random);
  }
  return values;
}

TEST(MedianChange, ASmallChangeOfQuietStepsIsTold) {
  std::mt19937_64 random(3);
  const MedianRatio change = ratio_of_medians(steps(200, 100, 0.01, 0, random), steps(200, 102, 0.01, 0, random));
  EXPECT_TRUE(change.beyond_noise());
  EXPECT_NEAR(change.ratio, 1.02, 0.005);
  EXPECT_LT(change.low, 1.02);
  EXPECT_GT(change.high, 1.02);
}

TEST(MedianChange, TheSameChangeOfNoisyStepsIsNot) {
  std::mt19937_64 random(3);
  EXPECT_FALSE(ratio_of_medians(steps(60, 100, 0.2, 0, random), steps(60, 102, 0.2, 0, random)).beyond_noise());
}

// 5 of 100 intervals may miss; steps that are like their neighbours must not make it many more. Taken as independent,
// they would in half of the cases.
TEST(MedianChange, StepsThatAreLikeTheirNeighboursAreNoEvidenceEach) {
  std::mt19937_64 random(11);
  int wrong = 0;
  for (int i = 0; i < 200; ++i)
    wrong += ratio_of_medians(steps(800, 100, 0.05, 0.9, random), steps(800, 100, 0.05, 0.9, random)).beyond_noise();
  EXPECT_LE(wrong, 28);
  EXPECT_GE(wrong, 1) << "an interval that never misses is too wide";
}

// The machine became slower by a tenth while B ran: 4 % between A and B are no news.
TEST(MedianChange, WhatDriftsWithinARecordingIsNoEvidenceBetweenTwo) {
  std::mt19937_64 random(3);
  auto a = steps(400, 100, 0.001, 0, random), b = steps(400, 104, 0.001, 0, random);
  EXPECT_TRUE(ratio_of_medians(a, b).beyond_noise());
  for (size_t i = 240; i < 400; ++i) b[i] *= 1.1;
  const MedianRatio drifting = ratio_of_medians(a, b);
  EXPECT_TRUE(drifting.interval_excludes_one());
  EXPECT_NEAR(drifting.drift, 1.1, 0.01);
  EXPECT_FALSE(drifting.beyond_noise());
  for (double& step : a) step *= 2;
  EXPECT_TRUE(ratio_of_medians(a, b).beyond_noise()) << "halved, which is more than the drift";
}

// Each recording is quiet, but they differ by 5 % among themselves.
TEST(MedianChange, RecordingsOfOneSideSayWhatTheMachineDoes) {
  std::mt19937_64 random(9);
  std::vector<StepTimes> a, b, faster;
  for (double machine : {1.0, 1.05, 1.02}) {
    a.push_back(steps(100, 100 * machine, 0.005, 0, random));
    b.push_back(steps(100, 102 * machine, 0.005, 0, random));
    faster.push_back(steps(100, 80 * machine, 0.005, 0, random));
  }
  EXPECT_TRUE(ratio_of_medians(a[0], b[0]).beyond_noise());
  EXPECT_FALSE(ratio_of_medians(a, b).beyond_noise());
  const MedianRatio change = ratio_of_medians(a, faster);
  EXPECT_TRUE(change.beyond_noise());
  EXPECT_NEAR(change.ratio, 0.8, 0.01);
  EXPECT_NEAR(change.drift, 1.05, 0.01);
  EXPECT_GT(change.high - change.low, 0.02) << "the interval knows of the recordings, too";
}

TEST(MedianChange, FewStepsHaveARatioAndNoInterval) {
  const MedianRatio change = ratio_of_medians(StepTimes{1, 1, 1, 1, 1}, StepTimes{2, 2, 2, 2, 2, 2});
  EXPECT_EQ(change.ratio, 2);
  EXPECT_FALSE(change.known);
  EXPECT_FALSE(change.beyond_noise());
  EXPECT_TRUE(ratio_of_medians(StepTimes{1, 1, 1, 1, 1, 1}, StepTimes{2, 2, 2, 2, 2, 2}).beyond_noise());
  EXPECT_EQ(ratio_of_medians(StepTimes{}, StepTimes{1}).ratio, 1);
  EXPECT_EQ(ratio_of_medians(StepTimes{0, 0, 0}, StepTimes{1, 1, 1}).ratio, 1);
}

TEST(MedianChange, ValidationNowAndThenMovesNothing) {
  std::vector<double> a(100, 10), b(100, 10);
  for (size_t i = 0; i < 100; i += 10) b[i] = 29;
  EXPECT_FALSE(ratio_of_medians(a, b).beyond_noise());
}

TEST(MedianChange, TheSameValuesGiveTheSameInterval) {
  std::mt19937_64 random(5);
  const auto a = steps(300, 100, 0.1, 0.5, random), b = steps(300, 103, 0.1, 0.5, random);
  const MedianRatio first = ratio_of_medians(a, b), second = ratio_of_medians(a, b);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(MedianChange, AMillionStepsAreThinnedOut) {
  std::mt19937_64 random(5);
  const auto a = steps(1'000'000, 100, 0.1, 0, random), b = steps(1'000'000, 101, 0.1, 0, random);
  EXPECT_TRUE(ratio_of_medians(a, b).beyond_noise());
}

TEST(MedianChange, QuartilesAreOfTheValues) {
  const Spread spread = spread_of({5, 1, 4, 2, 3});
  EXPECT_EQ(spread.low, 2);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.high, 4);
  EXPECT_EQ(spread_of({}).count, 0u);
}

}  // namespace
}  // namespace syncsniff::compare
