// What limits a step, told by a curve.
#include "instrument/scale/regime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace syncsniff::scale {
namespace {

Point point(double value, double step_us, std::optional<double> busy, double noise = 0.01) {
  std::mt19937_64 random(static_cast<uint64_t>(value * 1000 + step_us));
  std::normal_distribution<double> normal;
  Point point{value, {}, step_us * 1000, busy};
  for (int i = 0; i < 200; ++i) point.times_ns.push_back(step_us * 1000 * (1 + noise * normal(random)));
  return point;
}

// The host takes 1,000 us a step, the GPU 10 us a unit, beside one another.
std::vector<Point> pipelined(const std::vector<double>& values) {
  std::vector<Point> points;
  for (double value : values) {
    const double step = std::max(1000.0, 10 * value);
    points.push_back(point(value, step, 10 * value / step));
  }
  return points;
}

using Regimes = std::vector<Regime>;

TEST(Regime, OverheadThenGpu) {
  const Curve curve = read_curve(pipelined({16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(curve.regimes, (Regimes{Regime::kOverheadBound, Regime::kOverheadBound, Regime::kBetween, Regime::kGpuBound,
                                    Regime::kGpuBound, Regime::kGpuBound}));
  EXPECT_NEAR(curve.growth[0].time, 0, 0.01);
  EXPECT_NEAR(curve.growth[2].time, 0.28, 0.01);
  EXPECT_NEAR(curve.growth[4].time, 1, 0.02);
  ASSERT_TRUE(curve.turn);
  EXPECT_EQ(curve.turn->last_flat, 1u);
  EXPECT_EQ(curve.turn->first_bound, 3u);
  EXPECT_NEAR(curve.turn->value, 100, 3) << "where 10 us a unit make 1,000 us";
}

TEST(Regime, GrowthIsPerUnitOfWorkNotPerStep) {
  const Curve curve = read_curve({point(10, 1000, 0.95), point(15, 1500, 0.96)});
  EXPECT_NEAR(curve.growth[0].time, 1, 0.02);
  EXPECT_EQ(curve.regimes, (Regimes{Regime::kGpuBound, Regime::kGpuBound}));
  EXPECT_FALSE(curve.turn) << "it was GPU-bound from the start";
}

TEST(Regime, AGpuThatIsAlwaysBusyAndTakesNoLongerIsNotFilled) {
  EXPECT_EQ(read_curve({point(1, 1000, 0.97), point(2, 1010, 0.97)}).regimes[0], Regime::kNotFilled);
  // Its work grows: there was just room for it beside the host's.
  EXPECT_EQ(read_curve({point(92, 1000, 0.92), point(100, 1000, 1)}).regimes[0], Regime::kBetween);
}

// Loading of data grows with the batch too: growth alone is no evidence of the GPU.
TEST(Regime, AStepThatGrowsWhileTheGpuIdlesIsHostBound) {
  const Curve curve = read_curve({point(32, 1000, 0.1), point(64, 2000, 0.1)});
  EXPECT_EQ(curve.regimes, (Regimes{Regime::kHostBound, Regime::kHostBound}));
}

TEST(Regime, WithoutTheGpusSideOnlyGrowthIsTold) {
  const Curve curve = read_curve({point(32, 1000, {}), point(64, 1010, {}), point(128, 2010, {})});
  EXPECT_EQ(curve.regimes, (Regimes{Regime::kFlat, Regime::kGrows, Regime::kGrows}));
  ASSERT_TRUE(curve.turn);
}

TEST(Regime, NoisyOrFewStepsAreNotSure) {
  EXPECT_EQ(read_curve({point(32, 1000, 0.1, 4), point(64, 1500, 0.1, 4)}).regimes[0], Regime::kUnsure);
  Point few = point(64, 2000, 0.95);
  few.times_ns.resize(4);
  const Curve curve = read_curve({point(32, 1000, 0.95), few});
  EXPECT_FALSE(curve.growth[0].known);
  EXPECT_EQ(curve.regimes, (Regimes{Regime::kUnsure, Regime::kUnsure}));
  Point none;
  none.value = 128;
  EXPECT_EQ(read_curve({point(32, 1000, 0.95), none}).regimes[0], Regime::kUnsure);
}

TEST(Regime, NoNameSaysComputeOrMemory) {
  for (int i = 0; i <= static_cast<int>(Regime::kUnsure); ++i) {
    const std::string name = to_string(static_cast<Regime>(i));
    EXPECT_EQ(name.find("compute"), std::string::npos);
    EXPECT_EQ(name.find("memory"), std::string::npos);
  }
}

}  // namespace
}  // namespace syncsniff::scale
