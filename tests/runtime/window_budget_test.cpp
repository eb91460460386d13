// When windows open and close, without a clock and without CUPTI.
#include "runtime/shim/window_budget.h"

#include <gtest/gtest.h>

#include <vector>

namespace syncsniff::tests {
namespace {

using shim::WindowBudget;

constexpr uint64_t kMs = 1000000, kTick = 5 * kMs;

struct Window {
  uint64_t begin, end;
};

// Plays a program that launches evenly, asked every 5 ms as the shim's thread asks.
std::vector<Window> play(double share, double launches_per_s, uint64_t run_ns) {
  WindowBudget budget(share);
  std::vector<Window> windows;
  bool open = false;
  for (uint64_t now = 0; now < run_ns; now += kTick) {
    const auto launches = static_cast<uint64_t>(static_cast<double>(now) * launches_per_s / 1e9);
    if (open && budget.must_close(now, launches)) {
      budget.close(now, launches, 0);
      windows.back().end = now;
      open = false;
    } else if (!open && budget.may_open(now, launches)) {
      budget.open(now, launches);
      windows.push_back({now, run_ns});
      open = true;
    }
  }
  return windows;
}

double covered(const std::vector<Window>& windows) {
  double sum = 0;
  for (const Window& window : windows) sum += static_cast<double>(window.end - window.begin);
  return sum;
}

TEST(WindowBudget, ALaunchBoundProgramKeepsItsShare) {
  const double rate = 100000;  // a second: 6 us each would be 60 % if windows were always open
  for (const uint64_t seconds : {5, 20, 120}) {
    const auto windows = play(0.02, rate, seconds * 1000 * kMs);
    ASSERT_FALSE(windows.empty());
    const double cost = covered(windows) * 1e-9 * rate * 6e-6;
    // The last tick of a window is not foreseen.
    const double ticks = static_cast<double>(windows.size()) * 0.005 * rate * 6e-6;
    EXPECT_LE(cost, 0.02 * static_cast<double>(seconds) + ticks) << seconds;
  }
}

TEST(WindowBudget, TheFirstSecondHasAWindow) {
  const auto windows = play(0.02, 20000, 1000 * kMs);
  ASSERT_FALSE(windows.empty());
  EXPECT_GE(windows[0].begin, 400 * kMs) << "start-up is no step";
}

TEST(WindowBudget, AShortRunThatLaunchesFasterThanAWindowCanBePaidForHasShortWindows) {
  const double rate = 240000;  // a second: a window of 60 ms would cost 86 ms
  const auto windows = play(0.02, rate, 1300 * kMs);
  ASSERT_GE(windows.size(), 2u);
  const double ticks = static_cast<double>(windows.size()) * 0.005 * rate * 6e-6;
  EXPECT_LE(covered(windows) * 1e-9 * rate * 6e-6, 0.02 * 1.3 + ticks);
}

TEST(WindowBudget, WindowsGrowUntilSecondsLongStepsLieInThem) {
  const auto windows = play(0.02, 500, 120000 * kMs);
  ASSERT_GE(windows.size(), 8u);
  EXPECT_LT(windows[0].end - windows[0].begin, 100 * kMs);
  EXPECT_GE(windows.back().end - windows.back().begin, 1900 * kMs);
  for (const Window& window : windows)
    EXPECT_LE(window.end - window.begin, window.begin / 10 + 60 * kMs) << "a short run has no long window";
}

// One launch of a graph is a hundred kernels: after the first window that is known.
TEST(WindowBudget, KernelsOfGraphsAreForeseen) {
  WindowBudget budget(0.02);
  const double rate = 0.001;  // launches per us
  uint64_t now = 2000 * kMs, kernels = 0;
  auto launches = [&] { return static_cast<uint64_t>(static_cast<double>(now) * rate / 1000); };
  while (now < 60000 * kMs) {
    if (!budget.may_open(now, launches())) {
      now += kTick;
      continue;
    }
    const uint64_t begun = launches();
    budget.open(now, begun);
    while (!budget.must_close(now, launches())) now += kTick;
    kernels += 100 * (launches() - begun);
    budget.close(now, launches(), 100 * (launches() - begun));
  }
  EXPECT_GT(kernels, 0u);
  EXPECT_LE(static_cast<double>(kernels) * 6e-6, 0.02 * 60 * 1.3);
}

TEST(WindowBudget, WhoLaunchesNothingGetsNoWindow) {
  EXPECT_TRUE(play(0.02, 0, 10000 * kMs).empty());
  WindowBudget budget(0.02);
  budget.open(1000 * kMs, 50);
  budget.close(1060 * kMs, 60, 0);
  EXPECT_FALSE(budget.may_open(9000 * kMs, 60)) << "it has launched nothing since the last window";
  EXPECT_TRUE(budget.may_open(9000 * kMs, 61));
}

TEST(WindowBudget, TheTraceStaysBounded) {
  WindowBudget budget(1);
  uint64_t now = 1000 * kMs, launches = 0;
  size_t windows = 0;
  for (; windows < 1000 && budget.may_open(now, launches + 1); ++windows) {
    budget.open(now, launches);
    launches += 200000;
    now += 100 * kMs;
    EXPECT_TRUE(budget.must_close(now, launches));
    budget.close(now, launches, 200000);
    now += 100000 * kMs;
  }
  EXPECT_EQ(windows, 10u) << "4,000,000 records: 256 MB";
  EXPECT_TRUE(budget.is_spent());
}

TEST(WindowBudget, NoShareNoWindow) { EXPECT_TRUE(play(0, 1000, 5000 * kMs).empty()); }

}  // namespace
}  // namespace syncsniff::tests
