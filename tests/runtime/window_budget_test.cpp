// When windows open and close, without a clock and without CUPTI.
#include "runtime/shim/window_budget.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "runtime/shim/cupti_stay.h"

namespace syncsniff::tests {
namespace {

using shim::WindowBudget;

constexpr uint64_t kMs = 1000000, kTick = 5 * kMs;

struct Window {
  uint64_t begin, end;
};

// By some moment; a graph is one launch of many kernels.
struct Launched {
  uint64_t launches, kernels;
};

// CUPTI comes for each window and leaves after it, from some moment on, at which it leaves for the first time.
struct Costs {
  uint64_t attach_ns = 0, leaving_ns = 0, leaves_at = 0;
};

// Plays a program, asked every 5 ms as the shim's thread asks.
std::vector<Window> play(double share, uint64_t run_ns, const std::function<Launched(uint64_t)>& launched,
                         const Costs& costs = {}) {
  WindowBudget budget(share);
  std::vector<Window> windows;
  bool open = false;
  uint64_t kernels_before = 0;
  for (uint64_t now = 0; now < run_ns; now += kTick) {
    const auto [launches, kernels] = launched(now);
    const uint64_t records = kernels - kernels_before;
    if (!open) budget.pass(now, launches, now >= costs.leaves_at ? costs.attach_ns : 0);
    if (now >= costs.leaves_at && now < costs.leaves_at + kTick) budget.spend(costs.leaving_ns);
    if (open && budget.must_close(now, launches, records)) {
      budget.close(now, launches, records);
      if (now >= costs.leaves_at) budget.spend(costs.attach_ns);
      windows.back().end = now;
      open = false;
    } else if (!open && budget.may_open(now, launches)) {
      budget.open(now, launches);
      windows.push_back({now, run_ns});
      open = true;
      kernels_before = kernels;
    }
  }
  return windows;
}

// So many a second.
std::function<Launched(uint64_t)> even(double launches_per_s) {
  return [=](uint64_t now) {
    const auto launches = static_cast<uint64_t>(static_cast<double>(now) * launches_per_s / 1e9);
    return Launched{launches, launches};
  };
}
std::vector<Window> play(double share, double launches_per_s, uint64_t run_ns) {
  return play(share, run_ns, even(launches_per_s));
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

// C++ that launches all the time, a PyTorch trainer, Lightning: 0.87 s, 4 s, 30 s. What a window costs, CUPTI's coming
// and leaving with it, is saved before it opens, but for the first one. That is repaid before another opens.
TEST(WindowBudget, WindowsWithCuptisComingKeepTheirShareInRunsThatAreNotShort) {
  const Costs costs{18 * kMs, 0, 0};
  for (const double rate : {230000.0, 45000.0, 12000.0})
    for (const uint64_t run : {870 * kMs, 1700 * kMs, 4000 * kMs, 30000 * kMs}) {
      const auto windows = play(0.02, run, even(rate), costs);
      const double cost = covered(windows) * 1e-9 * rate * 6e-6 + 0.018 * static_cast<double>(windows.size());
      const double tick = 0.005 * rate * 6e-6;  // of the last window
      EXPECT_LE(cost, std::max(0.030, 0.02 * 1e-9 * static_cast<double>(run)) + tick) << run / kMs << " ms at " << rate;
      if (run < 2000 * kMs) {
        EXPECT_EQ(windows.size(), 1u) << run / kMs << " ms at " << rate;
      }
    }
}

TEST(WindowBudget, EvenLaunchesHaveAWindowAtOnce) {
  for (const double rate : {600.0, 20000.0, 240000.0}) {
    const auto windows = play(0.02, 400 * kMs, even(rate), {18 * kMs, 0, 0});
    ASSERT_EQ(windows.size(), 1u) << rate;
    EXPECT_GE(windows[0].begin, 100 * kMs) << "start-up is no step";
    EXPECT_LE(windows[0].begin, 200 * kMs);
  }
}

// A step of 100 ms launches in its first 40 ms. No slice is like the next.
TEST(WindowBudget, UnevenLaunchesHaveTheirFirstWindowAfterABoundedTime) {
  const auto launched = [](uint64_t now) {
    const uint64_t step = 100 * kMs;
    const uint64_t launches = now / step * 800 + std::min(now % step, 40 * kMs) / 50000;
    return Launched{launches, launches};
  };
  const auto windows = play(0.02, 1000 * kMs, launched, {18 * kMs, 0, 0});
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_LE(windows[0].begin, 400 * kMs);
}

// It loads code for 0.9 s and launches a little meanwhile; then it takes steps for 0.7 s.
TEST(WindowBudget, AStartUpDoesNotTakeTheFirstWindowOfTheSteps) {
  const auto launched = [](uint64_t now) {
    const uint64_t start_up = 900 * kMs;
    const uint64_t launches = std::min(now, start_up) / (15 * kMs) + (now > start_up ? (now - start_up) / 50000 : 0);
    return Launched{launches, launches};
  };
  const auto windows = play(0.02, 1600 * kMs, launched, {18 * kMs, 0, 0});
  ASSERT_LE(windows.size(), 2u);
  ASSERT_FALSE(windows.empty());
  EXPECT_GE(windows.back().begin, 900 * kMs);
  EXPECT_LE(windows.back().begin, 1200 * kMs);
}

// What a start-up of 6.5 s has saved is spent on a window just before the steps, which take 0.4 s.
TEST(WindowBudget, StepsThatFollowAWindowOfTheStartUpHaveOneOfTheirOwn) {
  const auto launched = [](uint64_t now) {
    const uint64_t steps_begin = 6500 * kMs;
    const uint64_t launches =
        (now + 60 * kMs > steps_begin ? 20 : 1) + (now > steps_begin ? (now - steps_begin) / 20000 : 0);
    return Launched{launches, launches};
  };
  const auto windows = play(0.02, 6900 * kMs, launched);  // CUPTI stays
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_LE(windows[0].begin, 6500 * kMs);
  EXPECT_GE(windows[1].begin, 6500 * kMs);
  EXPECT_LE(windows[1].begin, 6700 * kMs);
}

TEST(WindowBudget, ASmallBudgetBorrowsNothing) {
  EXPECT_TRUE(play(0.001, 7000 * kMs, even(20000), {18 * kMs, 0, 0}).empty());
}

// A checkpoint is written, or the program ends.
TEST(WindowBudget, NoneOpensWhileNothingIsLaunched) {
  const auto stops = [](uint64_t now) {
    const uint64_t launches = std::min(now, 80 * kMs) / 50000;
    return Launched{launches, launches};
  };
  EXPECT_TRUE(play(0.02, 10000 * kMs, stops, {18 * kMs, 0, 0}).empty());
}

TEST(WindowBudget, AShortRunThatLaunchesFasterThanAWindowCanBePaidForHasShortWindows) {
  const double rate = 240000;  // a second: a window of 60 ms would cost 86 ms
  const auto windows = play(0.02, rate, 1300 * kMs);
  ASSERT_GE(windows.size(), 2u);
  const double ticks = static_cast<double>(windows.size()) * 0.005 * rate * 6e-6;
  EXPECT_LE(covered(windows) * 1e-9 * rate * 6e-6, 0.02 * 1.3 + ticks);
}

// Its first windows are cut short. They do not make the next one so long that half a minute has to be saved for it.
TEST(WindowBudget, AProgramThatLaunchesFastIsSeenAgainAndAgain) {
  for (const double rate : {47000.0, 120000.0}) {
    uint64_t seen = 1000 * kMs;
    for (const Window& window : play(0.02, rate, 60000 * kMs)) {
      EXPECT_LE(window.begin, 2 * seen + 2000 * kMs)
          << "nothing was seen for as long as the run was old; rate " << rate;
      seen = window.end;
    }
    EXPECT_GE(seen, 29000 * kMs) << "rate " << rate;
  }
}

TEST(WindowBudget, WindowsGrowUntilSecondsLongStepsLieInThem) {
  const auto windows = play(0.02, 500.0, 120000 * kMs);
  ASSERT_GE(windows.size(), 8u);
  EXPECT_LT(windows[0].end - windows[0].begin, 100 * kMs);
  EXPECT_GE(windows.back().end - windows.back().begin, 1900 * kMs);
  for (const Window& window : windows)
    EXPECT_LE(window.end - window.begin, window.begin / 10 + 60 * kMs) << "a short run has no long window";
}

// One launch of a graph is a hundred kernels: after the first window that is known.
TEST(WindowBudget, KernelsOfGraphsAreForeseen) {
  const auto launched = [](uint64_t now) { return Launched{now / kMs, now / kMs * 100}; };
  double kernels = 0;
  for (const Window& window : play(0.02, 60000 * kMs, launched))
    kernels += static_cast<double>(launched(window.end).kernels - launched(window.begin).kernels);
  EXPECT_GT(kernels, 0);
  EXPECT_LE(kernels * 6e-6, 0.02 * 60 * 1.3);
}

// A JAX program: for 5 s it compiles and launches little, then it runs 3,200 steps of 0.82 ms, each a graph of 37
// kernels. Where it launches first and where its steps begin is moved about.
TEST(WindowBudget, StepsAfterALongStartUpKeepTheirShare) {
  for (uint64_t start_up = 4500 * kMs; start_up < 5500 * kMs; start_up += 35 * kMs) {
    const auto launched = [&](uint64_t now) {
      if (now < start_up) return Launched{now / (50 * kMs), now / (50 * kMs)};
      const uint64_t before = start_up / (50 * kMs), steps = (now - start_up) / 820000;
      return Launched{before + steps, before + 37 * steps};
    };
    double in_steps = 0, kernels = 0;
    for (const Window& window : play(0.02, start_up + 2600 * kMs, launched, {26 * kMs, 40 * kMs, start_up})) {
      if (window.end <= start_up) continue;
      ++in_steps;
      kernels += static_cast<double>(launched(window.end).kernels - launched(window.begin).kernels);
    }
    EXPECT_GE(in_steps, 1) << "they have a window";
    EXPECT_LE(kernels * 6e-6 + in_steps * 0.026, 0.06) << "seconds, of 2.6; start-up of " << start_up / kMs << " ms";
  }
}

// It reads data for a minute between bursts of 3 s. What the minute has saved is not spent on one of them.
TEST(WindowBudget, EachBurstOfStepsPaysForItself) {
  const uint64_t round = 63000 * kMs, burst = 3000 * kMs;
  const auto launched = [&](uint64_t now) {
    const uint64_t launches = now / round * (burst / 20000) + std::min(now % round, burst) / 20000;
    return Launched{launches, launches};
  };
  std::vector<double> costs(10);
  for (const Window& window : play(0.02, 10 * round, launched))
    costs[window.begin / round] +=
        6e-6 * static_cast<double>(launched(window.end).launches - launched(window.begin).launches);
  for (size_t i = 0; i < costs.size(); ++i) {
    EXPECT_GT(costs[i], 0) << "burst " << i;
    EXPECT_LE(costs[i], 0.1) << "seconds, in burst " << i << " of 3 s; 2 % of the whole round would be 1.26";
  }
}

TEST(WindowBudget, WhoLaunchesNothingGetsNoWindow) {
  EXPECT_TRUE(play(0.02, 0.0, 10000 * kMs).empty());
  WindowBudget budget(0.02);
  budget.pass(1000 * kMs, 50, 0);
  budget.open(1000 * kMs, 50);
  budget.close(1060 * kMs, 60, 0);
  budget.pass(9000 * kMs, 60, 0);
  EXPECT_FALSE(budget.may_open(9000 * kMs, 60)) << "it has launched nothing since the last window";
  EXPECT_TRUE(budget.may_open(9000 * kMs, 61));
}

TEST(WindowBudget, TheTraceStaysBounded) {
  WindowBudget budget(1);
  uint64_t now = 1000 * kMs, launches = 0;
  size_t windows = 0;
  for (; windows < 1000; ++windows) {
    budget.pass(now, launches + 1, 0);
    if (!budget.may_open(now, launches + 1)) break;
    budget.open(now, launches);
    launches += 200000;
    now += 100 * kMs;
    EXPECT_TRUE(budget.must_close(now, launches, 0));
    budget.close(now, launches, 200000);
    now += 100000 * kMs;
  }
  EXPECT_EQ(windows, 10u) << "4,000,000 records: 256 MB";
  EXPECT_TRUE(budget.is_spent());
}

// The program's graph calls were held for 0.5 s, and a capture or a long launch kept CUPTI away all the same: at 2 %
// that is 25 s without a window, after the one that had been open.
TEST(WindowBudget, TimeInWhichGraphCallsWereHeldIsCharged) {
  WindowBudget budget(0.02);
  uint64_t now = 0, launches = 0;
  auto pass = [&](uint64_t until) {
    for (; now < until && !(launches > 0 && budget.may_open(now, launches + 1)); now += kTick)
      budget.pass(now, launches = now / kMs, 0);
    return now;
  };
  pass(1000 * kMs);
  budget.open(now, launches);
  budget.close(now += 60 * kMs, launches += 60, 2000);  // enough records that nothing is forgiven
  const uint64_t closed = now;
  budget.spend(500 * kMs);
  EXPECT_GE(pass(closed + 60000 * kMs) - closed, 25000 * kMs);
  EXPECT_LT(now - closed, 30000 * kMs);
}

TEST(WindowBudget, NoShareNoWindow) { EXPECT_TRUE(play(0, 1000.0, 5000 * kMs).empty()); }

// In a start-up it comes in 0.3 s; later in 20 ms, and it leaves in 3. Graphs lose 8 ms more after it has come.
TEST(AttachCost, TheFirstOneDoesNotTellOfTheNext) {
  shim::AttachCost attach_cost;
  const uint64_t usual = attach_cost.total_ns(false);
  EXPECT_EQ(attach_cost.attached(310 * kMs, false), 50 * kMs);
  EXPECT_EQ(attach_cost.total_ns(false), usual);
  attach_cost.detached(3 * kMs);
  EXPECT_EQ(attach_cost.attached(20 * kMs, true), 28 * kMs);
  EXPECT_EQ(attach_cost.total_ns(false), 23 * kMs);
  EXPECT_EQ(attach_cost.total_ns(true), 31 * kMs);
  attach_cost.detached(450 * kMs);  // a graph call was waited for
  EXPECT_LT(attach_cost.total_ns(false), 100 * kMs);
  for (int i = 0; i < 10; ++i) attach_cost.detached(3 * kMs);
  EXPECT_LT(attach_cost.total_ns(false), 24 * kMs);
}

// The program's graph calls would not end: CUPTI could not leave at the first two tries.
TEST(AttachedCost, ALaunchIsChargedOnce) {
  shim::AttachedCost stay;
  stay.begin(1000);
  EXPECT_EQ(stay.charge_ns(3000) + stay.charge_ns(4000) + stay.charge_ns(4000), stay.lost_ns(4000));
  EXPECT_EQ(stay.lost_ns(4000), 3000u * 3000);
  stay.begin(5000);
  EXPECT_EQ(stay.charge_ns(5000), 0u) << "what the window has launched is charged with the window";
}

// 46 launches a ms lose 200 ms until the next window may open: CUPTI need not wait for that loss before it leaves.
TEST(AttachedCost, WhatComesBeforeTheNextWindowCountsAtOnce) {
  WindowBudget budget(0.02);
  uint64_t now = 0, launches = 0;
  for (; now < 2000 * kMs; now += kTick) budget.pass(now, launches = now / kMs * 46, 0);
  budget.open(now, launches);
  budget.close(now += 60 * kMs, launches += 60 * 46, 60 * 46);
  const uint64_t ahead = budget.launches_ahead(now, launches);
  // The next window, twice as long, will cost 33 ms: so much must be saved for it first, at 2 %.
  EXPECT_NEAR(static_cast<double>(ahead), 46 * 33.1 / 0.02, 0.05 * 46 * 33.1 / 0.02);
  shim::AttachedCost stay;
  stay.begin(launches);
  EXPECT_EQ(stay.lost_ns(launches), 0u);
  EXPECT_GT(stay.lost_ns(launches + ahead), 30 * kMs);
}

}  // namespace
}  // namespace syncsniff::tests
