// Windows make launching longer; where the step hides that, a wait for another thread has become shorter.
#include "instrument/timeline/step_share.h"

#include <gtest/gtest.h>

#include "instrument/timeline/remedies.h"
#include "tests/instrument/support.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kUs = 1000, kStep = 10000 * kUs;

// Steps of 10 ms, one after the other; those from the 20th to the 29th lie in a window.
constexpr size_t kSteps = 60, kFirstIn = 20, kFirstAfter = 30;

Steps even_steps() {
  Steps steps;
  for (size_t i = 0; i < kSteps; ++i) steps.regular.push_back({i * kStep, (i + 1) * kStep});
  steps.median_ns = kStep;
  return steps;
}

bool is_in_window(size_t step) { return step >= kFirstIn && step < kFirstAfter; }

std::string at(uint64_t begin, uint64_t length) {
  return " begin=" + std::to_string(begin) + " end=" + std::to_string(begin + length) + "\n";
}

// Thread 1 enqueues for so long in each step and waits; thread 2 never waits, and its bursts go on and on.
reader::Trace program(uint64_t in_window_us, uint64_t outside_us) {
  std::string waiter, other;
  for (size_t i = 0; i < kSteps; ++i) {
    const uint64_t begin = i * kStep + 100 * kUs;
    waiter += "burst launches=9" + at(begin, (is_in_window(i) ? in_window_us : outside_us) * kUs);
    waiter += "call api=1 class=wait flags=blocked stack=1 begin=" + std::to_string(begin + 9000 * kUs) +
              " duration=500000\n";
    other += "burst launches=9" + at(begin + 1000 * kUs, kStep - 10 * kUs);
  }
  return test::trace_of("trace timeline=1\nchunk tid=1\napi id=1 text=\"cuCtxSynchronize\"\n" + test::plain_stacks(1) +
                        waiter + "chunk tid=2\n" + other);
}

EnqueueTime time_of(uint64_t in_window_us, uint64_t outside_us) {
  return enqueue_time(program(in_window_us, outside_us), even_steps(), {{kFirstIn * kStep, kFirstAfter * kStep}});
}

TEST(EnqueueTime, IsThatOfTheThreadsThatWaitByStep) {
  const EnqueueTime time = time_of(4000, 3000);
  EXPECT_DOUBLE_EQ(time.in_windows_ns, 4000e3);
  EXPECT_DOUBLE_EQ(time.outside_ns, 3000e3);
}

TEST(EnqueueTime, OfFewStepsIsNotKnown) {
  EXPECT_FALSE(enqueue_time(program(4000, 3000), even_steps(), {{0, 3 * kStep}}).known());
  EXPECT_FALSE(enqueue_time(program(4000, 3000), even_steps(), {}).known());
}

// Of a step in the window the device works for 1 ms, the host launches for 4 ms more and spends the rest otherwise.
DeviceTimeline device_of(trace::HostState state, const EnqueueTime& enqueueing) {
  constexpr uint64_t kCount = kFirstAfter - kFirstIn, kBusy = 1000 * kUs, kLaunching = 4000 * kUs;
  constexpr uint64_t kRest = kStep - kBusy - kLaunching;
  DeviceTimeline device;
  device.windows = {{kFirstIn * kStep, kFirstAfter * kStep + 1}};
  device.covered_ns = kCount * kStep;
  device.busy_ns = kCount * kBusy;
  device.idle_ns = kCount * (kLaunching + kRest);
  device.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)] = kCount * kLaunching;
  device.idle_by_doing[static_cast<size_t>(HostDoing::kCode)] = kCount * kRest;
  device.enqueue_time = enqueueing;
  HostLine launching, rest;
  launching.doing = HostDoing::kLaunching;
  launching.idle_ns = kCount * kLaunching;
  rest.state = state;
  rest.idle_ns = kCount * kRest;
  device.host_lines = {rest, launching};
  return device;
}

// A thread that fetches batches sets the pace: in the window the wait for it is as much shorter as launching is longer.
TEST(StepShare, AWaitForAnotherThreadGetsBackWhatLaunchingTookFromIt) {
  const DeviceTimeline device = device_of(trace::HostState::kLock, {4200e3, 3000e3});
  const StepShare share = share_of_step(device, even_steps());
  EXPECT_NEAR(share.of(device.host_lines[0]), 6200e3, 1);
  EXPECT_NEAR(share.of(device.host_lines[1]), 2800e3, 1);
  EXPECT_NEAR(share.of(device, HostDoing::kCode), 6200e3, 1);
  EXPECT_NEAR(share.idle_ns, 9000e3, 1) << "the step is as long as before";
}

TEST(StepShare, WorkOfTheHostsOwnIsAsLongAsItWas) {
  for (const trace::HostState state : {trace::HostState::kRunning, trace::HostState::kAsleep}) {
    const DeviceTimeline device = device_of(state, {4200e3, 3000e3});
    const StepShare share = share_of_step(device, even_steps());
    EXPECT_NEAR(share.of(device.host_lines[0]), 5000e3, 1);
    EXPECT_NEAR(share.of(device.host_lines[1]), 4000e3, 1);
  }
}

TEST(StepShare, WhereEnqueueingIsNoLongerNothingMoves) {
  const DeviceTimeline device = device_of(trace::HostState::kLock, {3000e3, 3100e3});
  EXPECT_NEAR(share_of_step(device, even_steps()).of(device.host_lines[0]), 5000e3, 1);
}

// A wait of 1 us in windows: launching has not taken 1.2 ms from it.
TEST(StepShare, AWaitThatHardlyIsDoesNotBecomeTheStep) {
  DeviceTimeline device = device_of(trace::HostState::kRunning, {4200e3, 3000e3});
  HostLine wait;
  wait.state = trace::HostState::kLock;
  wait.idle_ns = (kFirstAfter - kFirstIn) * kUs;
  device.host_lines[0].idle_ns -= wait.idle_ns;
  device.host_lines.push_back(wait);
  const StepShare share = share_of_step(device, even_steps());
  EXPECT_LE(share.of(device.host_lines[2]), 2e3 + 1);
  EXPECT_NEAR(share.step_ns, 10000e3, 1);
}

// The window shows steps of 10 ms, and the run's are of 8: the device works as long, and the host is faster.
TEST(StepShare, IsThatOfTheStepThatTheReportNames) {
  const DeviceTimeline device = device_of(trace::HostState::kRunning, {3000e3, 3000e3});
  Steps steps = even_steps();
  steps.median_ns = 8000 * kUs;
  const StepShare share = share_of_step(device, steps);
  EXPECT_NEAR(share.busy_ns, 1000e3, 1);
  EXPECT_NEAR(share.step_ns, 8000e3, 1);
  EXPECT_NEAR(share.of(device.host_lines[0]) / share.of(device.host_lines[1]), 5.0 / 4.0, 1e-6);
  EXPECT_NEAR(share.of(device.host_lines[0]) + share.of(device.host_lines[1]), 7000e3, 1);
  steps.uneven = 10;
  steps.timed_mean_ns = steps.mean_ns();
  EXPECT_NEAR(share_of_step(device, steps).step_ns, 10000e3, 1) << "the mean of such steps counts";
  steps.regular.back().end += kSteps * 2000 * kUs;
  steps.timed_mean_ns = steps.mean_ns();
  EXPECT_NEAR(share_of_step(device, steps).step_ns, 12000e3, 1) << "also where the windows' steps were shorter";
}

// A window of 100 ms in steps of 1 s, with the launches of a quarter of one: the step has 400 ms of what it shows, a
// tenth of which is the device's work. By its time alone it would be a tenth of a step, of which 100 ms were such work.
DeviceTimeline part_of_a_step(double launched_steps) {
  DeviceTimeline device;
  device.windows = {{1300 * 1000 * kUs, 1400 * 1000 * kUs}};
  device.covered_ns = 100 * 1000 * kUs;
  device.busy_ns = 10 * 1000 * kUs;
  device.idle_ns = 90 * 1000 * kUs;
  device.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)] = device.idle_ns;
  HostLine launching;
  launching.doing = HostDoing::kLaunching;
  launching.idle_ns = device.idle_ns;
  device.host_lines = {launching};
  device.launched_steps = launched_steps;
  return device;
}

Steps long_steps() {
  Steps steps;
  for (size_t i = 0; i < 5; ++i) steps.regular.push_back({i * 100 * kStep, (i + 1) * 100 * kStep});
  steps.median_ns = 100 * kStep;
  return steps;
}

TEST(StepShare, APartOfAStepIsScaledByItsLaunches) {
  const DeviceTimeline device = part_of_a_step(0.25);
  const StepShare share = share_of_step(device, long_steps());
  EXPECT_TRUE(share.by_launches);
  EXPECT_NEAR(share.busy_ns, 40e6, 1);
  EXPECT_NEAR(share.of(device.host_lines[0]), 360e6, 1);
  EXPECT_NEAR(share.unseen_ns, 600e6, 1) << "no window opens while the host launches nothing";
  EXPECT_NEAR(share.idle_ns, 960e6, 1);
  EXPECT_NEAR(share.step_ns, 1000e6, 1);
}

TEST(StepShare, APartThatIsAsFastAsTheStepLeavesNothingUnseen) {
  const DeviceTimeline slower = part_of_a_step(0.08), faster = part_of_a_step(0.11);
  for (const DeviceTimeline& device : {slower, faster}) {
    const StepShare share = share_of_step(device, long_steps());
    EXPECT_NEAR(share.busy_ns, 10e6 / device.launched_steps, 1);
    EXPECT_NEAR(share.unseen_ns, 0, 1);
    EXPECT_NEAR(share.of(device.host_lines[0]), 1000e6 - share.busy_ns, 1);
  }
}

TEST(StepShare, WithoutLaunchesAPartIsScaledByItsTime) {
  const StepShare share = share_of_step(part_of_a_step(0), long_steps());
  EXPECT_FALSE(share.by_launches);
  EXPECT_NEAR(share.busy_ns, 100e6, 1);
  EXPECT_NEAR(share.unseen_ns, 0, 1);
}

// Far fewer launches than belong to the window's time: they are not those of its work.
TEST(StepShare, APartOfAStepIsNotScaledToFarMoreThanTheStep) {
  const StepShare share = share_of_step(part_of_a_step(0.005), long_steps());
  EXPECT_NEAR(share.busy_ns, 200e6, 1);
  EXPECT_NEAR(share.step_ns, 1100e6, 1);
  DeviceTimeline busy = part_of_a_step(0.005);
  std::swap(busy.busy_ns, busy.idle_ns);
  busy.host_lines[0].idle_ns = busy.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)] = busy.idle_ns;
  EXPECT_NEAR(share_of_step(busy, long_steps()).busy_ns, 1000e6, 1) << "it does not work for longer than a step";
}

// Windows of whole steps tell by their time; of steps that are cut evenly none begins where it is said to.
TEST(StepShare, WholeStepsAreNotScaledByLaunches) {
  DeviceTimeline device = device_of(trace::HostState::kRunning, {3000e3, 3000e3});
  device.launched_steps = 8;
  Steps steps = even_steps();
  EXPECT_NEAR(share_of_step(device, steps).steps, 10, 1e-9);
  steps.evenly_cut = true;
  EXPECT_NEAR(share_of_step(device, steps).steps, 8, 1e-9);
}

TEST(Remedies, AreThoseThatTheOptimizerHas) {
  HostLine line;
  line.doing = HostDoing::kLaunching;
  line.part = reader::StepPart::kOptimizer;
  line.launches = 8;
  EXPECT_EQ(remedy_of(line), Remedy::kOptimizer);
  line.updates = reader::Updates::kForeach;
  EXPECT_EQ(remedy_of(line), Remedy::kFused);
  line.updates = reader::Updates::kOther;
  EXPECT_EQ(remedy_of(line), Remedy::kGraph) << "SparseAdam has neither";
}

// Four lines launch once a step each: a graph of them all leaves a quarter of each. A line that launches a graph cannot
// be made one.
TEST(Gains, AGraphHoldsTheLaunchesOfAllLines) {
  DeviceTimeline device = device_of(trace::HostState::kRunning, {3000e3, 3000e3});
  HostLine launch;
  launch.doing = HostDoing::kLaunching;
  launch.launches = kFirstAfter - kFirstIn;
  launch.idle_ns = device.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)] / 4;
  device.host_lines = {launch, launch, launch, launch};
  const StepShare share = share_of_step(device, even_steps());
  EXPECT_NEAR(Gains(device, share).of(device.host_lines[0]), 0.75 * 1000e3, 1);
  device.host_lines[0].graphs = launch.launches;
  EXPECT_NEAR(Gains(device, share).of(device.host_lines[0]), 0, 1);
}

// A call of 2 ms in one step of the window: its mean step is 10.2 ms, its median one 10. Outside, such calls are as
// long as in the other steps: what the one has added is in no typical step, and does not become launching.
TEST(StepShare, WhatOneLongCallAddsIsInNoTypicalStep) {
  DeviceTimeline device = device_of(trace::HostState::kRunning, {3000e3, 3000e3});
  constexpr uint64_t kCount = kFirstAfter - kFirstIn, kLonger = 2000 * kUs;
  Steps steps = even_steps();
  for (size_t i = kFirstIn + 3; i < kSteps; ++i) {
    steps.regular[i].end += kLonger;
    if (i > kFirstIn + 3) steps.regular[i].begin += kLonger;
  }
  device.windows[0].end += kLonger;
  device.covered_ns += kLonger;
  device.idle_ns += kLonger;
  device.idle_by_doing[static_cast<size_t>(HostDoing::kCode)] += kLonger;
  HostLine& line = device.host_lines[0];
  line.idle_ns += kLonger;
  line.outside_factor = 5000e3 * kCount / static_cast<double>(line.idle_ns);
  const StepShare share = share_of_step(device, steps);
  EXPECT_NEAR(share.of(line), 5000e3, 1);
  EXPECT_NEAR(share.of(device.host_lines[1]), 4000e3, 1);
  EXPECT_NEAR(share.step_ns, 10000e3, 1);
}

// 9 ms of a step of 14 ms, of which the GPU works for 1 ms: what is left of the host's time may be a quarter shorter.
TEST(SavesAtMost, AfterAPauseOfMillisecondsTheRestMayBeFaster) {
  StepShare share;
  share.of_steps = true;
  share.step_ns = 14e6;
  share.busy_ns = 1e6;
  HostLine line;
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 9e6, 9e6), 9e6 + 0.25 * 4e6);
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 2e6, 2e6), 2e6 + 0.06 * 11e6);
  EXPECT_DOUBLE_EQ(expected_saving(line, share, 9e6, 9e6), 9e6 + 0.125 * 4e6) << "the middle is told";
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 0.9e6, 0.9e6), 0.9e6) << "too short";
  EXPECT_DOUBLE_EQ(expected_saving(line, share, 0.9e6, 0.9e6), 0.9e6);
  share.steps = 10;
  line.pauses = 1000;
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 9e6, 9e6), 9e6) << "a hundred pauses of 90 us in a step";
  line.pauses = 10;
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 9e6, 9e6), 9e6 + 0.25 * 4e6) << "one in each step";
  share.busy_ns = 13e6;
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 9e6, 1e6), 1e6) << "the GPU sets the pace of the rest";
  line.doing = HostDoing::kLaunching;
  share.busy_ns = 1e6;
  EXPECT_DOUBLE_EQ(saves_at_most(line, share, 9e6, 9e6), 9e6) << "no pause";
}

// What code after a wait takes outside of windows is known by itself: launching takes what is left of the step.
TEST(StepShare, CodeMeasuredOutsideIsAsLongAsItIsThere) {
  DeviceTimeline device = device_of(trace::HostState::kLock, {4200e3, 3000e3});
  device.host_lines[0].outside_factor = 1.2;
  const StepShare share = share_of_step(device, even_steps());
  EXPECT_NEAR(share.of(device.host_lines[0]), 6000e3, 1);
  EXPECT_NEAR(share.of(device.host_lines[1]), 3000e3, 1);
  EXPECT_NEAR(share.of(device, HostDoing::kCode), 6000e3, 1);
  EXPECT_NEAR(share.idle_ns, 9000e3, 1);
}

// In each step a wait of 500 us, code until the burst, and another wait whose code is as long everywhere. The window's
// last two steps take 400 us longer in the code.
OutsideFactors factors_of(size_t steps_in_window) {
  std::string body;
  for (size_t i = 0; i < kSteps; ++i) {
    const uint64_t begin = i * kStep;
    const uint64_t code = (is_in_window(i) ? (i + 2 < kFirstAfter ? 1000 : 1400) : 1500) * kUs;
    body += "call api=1 class=wait flags=blocked stack=1 begin=" + std::to_string(begin + kUs) + " duration=500000\n";
    body += "burst launches=9" + at(begin + 501 * kUs + code, 3000 * kUs);
    body += "call api=1 class=wait flags=blocked stack=2 begin=" + std::to_string(begin + 7000 * kUs) +
            " duration=500000\n";
    body += "burst launches=1" + at(begin + 8000 * kUs, 10 * kUs);
  }
  const auto trace = test::trace_of("trace timeline=1\nchunk tid=1\napi id=1 text=\"cuCtxSynchronize\"\n" +
                                    test::plain_stacks(2) + body);
  const std::vector<Interval> windows = {{kFirstIn * kStep, (kFirstIn + steps_in_window) * kStep}};
  return code_after_waits(trace, even_steps(), windows, windows);
}

TEST(CodeAfterWaits, IsTheMedianOutsideByTheMeanWithin) {
  const OutsideFactors factors = factors_of(kFirstAfter - kFirstIn);
  EXPECT_NEAR(factors.at(1), 1500.0 / 1080, 1e-6);
  EXPECT_NEAR(factors.at(2), 1.0, 1e-6);
}

// A copy of each parameter in each step: the host works for long on a large one, and for a moment on the small ones.
TEST(CodeAfterWaits, OfSeveralWaitsAStepAreComparedStepByStep) {
  std::string body;
  for (size_t i = 0; i < kSteps; ++i) {
    uint64_t time = i * kStep + kUs;
    for (const uint64_t code : {4000 * kUs, 20 * kUs, 20 * kUs, 20 * kUs}) {
      body += "call api=1 class=wait flags=blocked stack=1 begin=" + std::to_string(time) + " duration=10000\n";
      time += 10 * kUs + (is_in_window(i) ? code : code * 5 / 4);
    }
    body += "burst launches=1" + at(time, 10 * kUs);
  }
  const auto trace = test::trace_of("trace timeline=1\nchunk tid=1\napi id=1 text=\"cuCtxSynchronize\"\n" +
                                    test::plain_stacks(1) + body);
  const std::vector<Interval> windows = {{kFirstIn * kStep, kFirstAfter * kStep}};
  EXPECT_NEAR(code_after_waits(trace, even_steps(), windows, windows).at(1), 1.25, 1e-6);
}

TEST(CodeAfterWaits, OfFewStepsIsNotKnown) { EXPECT_TRUE(factors_of(4).empty()); }

// An allocation a step. In the window CUPTI's coming holds one of them up for 8 ms. `listed_outside`: in every so many
// steps.
OutsideFactors allocation_factors(size_t listed_outside) {
  std::string body;
  for (size_t i = 0; i < kSteps; ++i)
    if (is_in_window(i) || i % listed_outside == 0)
      body += "call api=1 class=allocate stack=1 begin=" + std::to_string(i * kStep + kUs) + " duration=" +
              std::to_string(i == kFirstIn + 3 ? 8000 * kUs
                             : is_in_window(i) ? 80 * kUs
                                               : 70 * kUs) +
              "\n";
  const auto trace =
      test::trace_of("trace timeline=1\nchunk tid=1\napi id=1 text=\"cuMemAlloc_v2\"\n" + test::plain_stacks(1) + body);
  const std::vector<Interval> windows = {{kFirstIn * kStep, kFirstAfter * kStep}};
  return allocations_outside(trace, even_steps(), windows, windows);
}

TEST(AllocationsOutside, AreTheMedianThereByTheMeanWithin) {
  EXPECT_NEAR(allocation_factors(1).at(1), 70.0 / ((9 * 80 + 8000) / 10.0), 1e-6);
}

// Short ones are not listed there: the long ones alone would tell too long a time.
TEST(AllocationsOutside, ListedLessOftenAreNotKnown) { EXPECT_TRUE(allocation_factors(2).empty()); }

TEST(StepShare, AnAllocationCountsAsLongAsItIsOutside) {
  DeviceTimeline device = device_of(trace::HostState::kRunning, {3000e3, 3000e3});
  device.host_lines[0].doing = HostDoing::kAllocating;
  device.host_lines[0].outside_factor = 0.5;
  std::swap(device.idle_by_doing[static_cast<size_t>(HostDoing::kCode)],
            device.idle_by_doing[static_cast<size_t>(HostDoing::kAllocating)]);
  const StepShare share = share_of_step(device, even_steps());
  EXPECT_NEAR(share.of(device.host_lines[0]), 2500e3, 1);
  EXPECT_NEAR(share.of(device, HostDoing::kAllocating), 2500e3, 1);
  EXPECT_NEAR(share.of(device, HostDoing::kCode), 0, 1);
  EXPECT_NEAR(share.idle_ns, 4000e3 + 2500e3 + 2500e3, 1) << "in the windows' steps it went elsewhere";
}

}  // namespace
}  // namespace syncsniff::timeline
