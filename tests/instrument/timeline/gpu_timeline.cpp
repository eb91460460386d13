#include "instrument/timeline/gpu_timeline.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "instrument/timeline/gpu_clock.h"
#include "instrument/timeline/step_share.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using timeline::IdleCause;

std::vector<timeline::DeviceTimeline> timelines(const std::string& body, const timeline::Steps& steps = {}) {
  const auto trace = test::trace_of(
      "trace timeline=2\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
      "api id=1 text=\"cuCtxSynchronize\"\napi id=2 text=\"cuLaunchKernel\"\napi id=3 text=\"cuStreamWaitEvent\"\n"
      "api id=4 text=\"cuMemAlloc_v2\"\napi id=5 text=\"cuModuleLoadData\"\n" +
      test::plain_stacks(9) + body);
  return timeline::build_gpu_timelines(trace, test::places_of(trace), steps);
}

std::string us(const char* key, uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value * 1000); }
std::string kernel(uint64_t begin, uint64_t end, int device = 0, int correlation = 0) {
  return "gpu kind=kernel device=" + std::to_string(device) + " correlation=" + std::to_string(correlation) +
         us("begin", begin) + us("end", end) + "\n";
}
std::string call(int api, const char* kind, int stack, uint64_t begin, uint64_t length, int stream = 7) {
  return "call api=" + std::to_string(api) + " class=" + kind + " stack=" + std::to_string(stack) +
         " stream=" + std::to_string(stream) + us("begin", begin) + us("duration", length) + "\n";
}

// The cause and line of the only gap.
std::pair<IdleCause, uint32_t> only_gap(const std::string& body) {
  const auto devices = timelines(body);
  EXPECT_EQ(devices.at(0).gaps.size(), 1u);
  return {devices.at(0).gaps.at(0).cause, devices.at(0).gaps.at(0).stack};
}

const std::string kBusyLaunches = call(2, "launch", 9, 10, 4) + call(2, "launch", 9, 20, 4) +
                                  call(2, "launch", 9, 30, 4) + call(2, "launch", 9, 40, 4);

TEST(GpuTimeline, BusyIsTheUnion) {
  const auto devices =
      timelines(kernel(100, 200) + kernel(150, 300) + kernel(400, 500) + kernel(90, 95, 1) + kernel(420, 430));
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0].busy_ns, 300000u);
  EXPECT_EQ(devices[0].idle_ns, 100000u);
  EXPECT_EQ(devices[1].busy_ns, 5000u);
  EXPECT_EQ(devices[0].kernels, 4u);
}

// In a start-up's window the GPU may be busy all the time; of a step that says nothing.
TEST(GpuTimeline, AWindowWithoutStepsIsLeftOut) {
  timeline::Steps steps;
  steps.regular = {{500000, 600000}, {600000, 700000}, {700000, 800000}};
  const std::string start_up = "window begin=100000 end=300000 launches=1\n",
                    in_steps = "window begin=550000 end=750000 launches=9\n";
  const std::string body = kernel(110, 290) + kernel(600, 620);
  auto of = [&](const std::string& windows) {
    const auto trace = test::trace_of("trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\n" +
                                      test::plain_stacks(1) + windows + body);
    return timeline::build_gpu_timelines(trace, test::places_of(trace), steps);
  };
  EXPECT_TRUE(of(start_up).empty());
  const auto devices = of(start_up + in_steps);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].spans.size(), 1u);
  EXPECT_EQ(devices[0].busy_ns, 20000u);
}

// A step is 60 us of idle time and a kernel of 40 us. The window begins with a kernel and ends in one, so of its 240 us
// only 120 are idle time.
TEST(GpuTimeline, OfAWindowItsWholeStepsAreCounted) {
  timeline::Steps steps;
  std::string body = "window begin=150000 end=390000 launches=1\n";
  for (uint64_t step = 0; step < 6; ++step) {
    steps.regular.push_back({100000 * step, 100000 * (step + 1)});
    body += kernel(100 * step + 60, 100 * step + 100);
  }
  const auto trace = test::trace_of("trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\n" + body);
  const auto devices = timeline::build_gpu_timelines(trace, test::places_of(trace), steps);
  ASSERT_EQ(devices.size(), 1u);
  ASSERT_EQ(devices[0].spans.size(), 1u);
  EXPECT_EQ(devices[0].spans[0].begin, 200000u);
  EXPECT_EQ(devices[0].spans[0].end, 300000u);
  EXPECT_EQ(devices[0].idle_ns, 60000u);
  EXPECT_EQ(devices[0].busy_ns, 40000u);
  EXPECT_EQ(devices[0].kernels, 1u);
}

// Steps of 1,000 launches. The window lies in one, and 200 kernels in it: a fifth of a step's, of which a line made
// half. The window of the start-up has as many again, which are none of a step's.
TEST(GpuTimeline, APartOfAStepIsMeasuredInLaunches) {
  timeline::Steps steps;
  for (uint64_t step = 1; step < 5; ++step) steps.regular.push_back({1000000 * step, 1000000 * (step + 1)});
  steps.launches = 1500;  // 500 of them on another device
  std::string body =
      "window begin=100000 end=400000 launches=1\nwindow begin=2100000 end=2400000 launches=500\n"
      "count api=2 class=launch stack=1 device=0 count=4000 first=100000 last=4900000\n"
      "count api=2 class=launch stack=1 device=1 count=2000 first=100000 last=4900000\n";
  for (uint64_t window : {100, 2100})
    for (uint64_t i = 0; i < 200; ++i)
      body += call(2, "launch", i % 2 == 0 ? 1 : 2, window + i, 1) + kernel(window + i, window + i + 1);
  const auto of = [&](const std::string& more) {
    const auto trace = test::trace_of(
        "trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\n"
        "api id=2 text=\"cuLaunchKernel\"\n" +
        test::plain_stacks(2) + body + more);
    return timeline::build_gpu_timelines(trace, test::places_of(trace), steps).at(0);
  };
  EXPECT_NEAR(of("").launched_steps, 0.2, 0.001);
  uint64_t launches = 0;
  for (const timeline::HostLine& line : of("").host_lines) launches += line.launches;
  EXPECT_LE(launches, 200u);
  EXPECT_EQ(of("gpu kind=kernel graph=7 begin=2305000 end=2306000\n").launched_steps, 0) << "one call, many kernels";
  std::string sets;
  for (uint64_t i = 0; i < 50; ++i) sets += "gpu kind=set begin=2305000 end=2306000\n";
  EXPECT_NEAR(of(sets).launched_steps, 0.2, 0.001) << "a memset is no launch";
}

// The same steps, the first window with three of them whole, the second with a part of one.
TEST(GpuTimeline, AWindowWithoutAWholeStepIsLeftOutBesideOthers) {
  timeline::Steps steps;
  std::string kernels;
  for (uint64_t step = 0; step < 9; ++step) {
    steps.regular.push_back({100000 * step, 100000 * (step + 1)});
    kernels += kernel(100 * step + 60, 100 * step + 100);
  }
  const auto spans = [&](uint64_t first_end) {
    const auto trace = test::trace_of(
        "trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\n"
        "window begin=150000 end=" +
        std::to_string(first_end) +
        " launches=1\n"
        "window begin=710000 end=790000 launches=7\n" +
        kernels);
    return timeline::build_gpu_timelines(trace, test::places_of(trace), steps).at(0).spans;
  };
  ASSERT_EQ(spans(590000).size(), 1u);
  EXPECT_EQ(spans(590000)[0].begin, 200000u);
  EXPECT_EQ(spans(590000)[0].end, 500000u);
  EXPECT_EQ(spans(390000).size(), 2u) << "one whole step alone says too little";
}

TEST(GpuTimeline, OutsideTheStepsIdleTimeIsAnEndEffect) {
  timeline::Steps steps;
  steps.regular = {{250000, 350000}};
  const auto devices =
      timelines(kernel(100, 200) + kernel(240, 260) + kernel(270, 360) + kernel(400, 410) +
                    call(1, "wait", 1, 110, 91) + call(1, "wait", 1, 255, 6) + call(1, "wait", 1, 300, 62),
                steps);
  ASSERT_EQ(devices.at(0).gaps.size(), 3u);
  EXPECT_EQ(devices[0].gaps[0].cause, IdleCause::kEndEffects);
  EXPECT_EQ(devices[0].gaps[1].cause, IdleCause::kSync);
  EXPECT_EQ(devices[0].gaps[2].cause, IdleCause::kEndEffects);
  EXPECT_EQ(devices[0].idle_by_cause[static_cast<size_t>(IdleCause::kEndEffects)], 80000u);
}

// A step of the start-up's kind (code is loaded, a validation runs) tells nothing of the others: 100 us of it, in a
// window, would be spread over them.
TEST(GpuTimeline, InAStepThatIsLeftOutIdleTimeIsAnEndEffect) {
  timeline::Steps steps;
  steps.regular = {{100000, 200000}, {500000, 600000}, {600000, 700000}};
  const auto devices = timelines(kernel(110, 120) + kernel(190, 210) + kernel(480, 510) + kernel(610, 620), steps);
  ASSERT_EQ(devices.at(0).gaps.size(), 3u);
  EXPECT_NE(devices[0].gaps[0].cause, IdleCause::kEndEffects);
  EXPECT_EQ(devices[0].gaps[1].cause, IdleCause::kEndEffects);
  EXPECT_NE(devices[0].gaps[2].cause, IdleCause::kEndEffects);
  const auto parts = steps.within({150000, 650000});
  ASSERT_EQ(parts.size(), 2u) << "steps that follow one another are one part";
  EXPECT_EQ(parts[0].end, 200000u);
  EXPECT_EQ(parts[1].begin, 500000u);
  EXPECT_EQ(parts[1].end, 650000u);
}

// A validation between two steps: its work is none of a step's, as its idle time is not.
TEST(GpuTimeline, WorkOfAStepThatIsLeftOutIsNotSpreadOverTheOthers) {
  timeline::Steps steps;
  steps.regular = {{100000, 200000}, {500000, 600000}};
  steps.median_ns = 100000;
  const auto devices = timelines(
      kernel(100, 120) + kernel(190, 210) + kernel(220, 300) + kernel(310, 480) + kernel(490, 510) + kernel(580, 600),
      steps);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].busy_left_out_ns, 270000u);
  EXPECT_EQ(devices[0].steady_busy_ns(), 60000u);
  EXPECT_EQ(devices[0].kernels, 3u);
  const timeline::StepShare share = timeline::share_of_step(devices[0], steps);
  EXPECT_DOUBLE_EQ(share.steps, 2);
  EXPECT_DOUBLE_EQ(share.busy_ns, 30000);
  EXPECT_DOUBLE_EQ(share.step_ns, 100000);
}

TEST(GpuTimeline, EachCauseOfTheTable) {
  EXPECT_EQ(only_gap(kernel(100, 200) + call(1, "wait", 1, 120, 82) + call(2, "launch", 2, 290, 5) + kernel(300, 400)),
            std::make_pair(IdleCause::kSync, 1u));
  EXPECT_EQ(
      only_gap(kernel(100, 200) + call(4, "implicit", 3, 150, 60) + call(2, "launch", 2, 290, 5) + kernel(300, 400)),
      std::make_pair(IdleCause::kImplicitSync, 3u));
  EXPECT_EQ(
      only_gap(kernel(100, 200) + call(4, "allocate", 4, 210, 70) + call(2, "launch", 2, 290, 5) + kernel(300, 400)),
      std::make_pair(IdleCause::kImplicitSync, 4u));
  EXPECT_EQ(
      only_gap(kernel(100, 200) + call(5, "module", 5, 205, 80) + call(2, "launch", 2, 290, 5) + kernel(300, 400)),
      std::make_pair(IdleCause::kEndEffects, 5u));
  EXPECT_EQ(only_gap(kBusyLaunches + call(2, "launch", 7, 50, 4) + kernel(45, 47) + kernel(56, 60)),
            std::make_pair(IdleCause::kLaunchBound, 7u));
  EXPECT_EQ(only_gap(kBusyLaunches + kernel(45, 50) + call(2, "launch", 8, 900, 5) + kernel(910, 950)),
            std::make_pair(IdleCause::kHostWork, 8u));
  EXPECT_EQ(only_gap(call(2, "launch", 9, 10, 4) + call(3, "other", 6, 60, 1) + call(2, "launch", 9, 62, 4) +
                     kernel(45, 100, 0, 31) + kernel(300, 350, 0, 35)),
            std::make_pair(IdleCause::kDependency, 6u));
}

// The host has long gone on: the last wait before the gap's end is for what comes later.
TEST(GpuTimeline, ADependencyIsTheOneOfTheLaunchThatWaited) {
  const std::string host = call(3, "other", 1, 10, 1) + call(2, "launch", 9, 12, 1) + call(3, "other", 2, 14, 1) +
                           call(3, "other", 3, 15, 1, 8) + call(2, "launch", 9, 16, 1) + call(3, "other", 4, 18, 1) +
                           call(2, "launch", 9, 20, 1);
  const auto devices = timelines(host + kernel(100, 200, 0, 5) + kernel(300, 400, 0, 6) + kernel(500, 600, 0, 9));
  ASSERT_EQ(devices.at(0).gaps.size(), 2u);
  EXPECT_EQ(devices[0].gaps[0].cause, IdleCause::kDependency);
  EXPECT_EQ(devices[0].gaps[0].stack, 2u) << "the wait of another stream is none of its";
  EXPECT_EQ(devices[0].gaps[1].stack, 4u);
}

TEST(GpuTimeline, WhereLaunchesAreMissingADependencyHasNoLine) {
  const auto gap = only_gap(call(2, "launch", 9, 10, 4) + call(3, "other", 6, 60, 1) + call(2, "launch", 9, 62, 4) +
                            kernel(45, 100, 0, 31) + kernel(300, 350, 0, 35) + kernel(350, 360, 0, 36));
  EXPECT_EQ(gap, std::make_pair(IdleCause::kDependency, 0u));
}

TEST(GpuTimeline, HostWorkNamesBothEndsOfTheGap) {
  const auto devices = timelines(kBusyLaunches + kernel(45, 50) + call(2, "launch", 8, 900, 5) + kernel(910, 950));
  EXPECT_EQ(devices[0].lines.at(0).place.line, 80u);
  EXPECT_EQ(devices[0].lines.at(0).before.line, 90u);
}

TEST(GpuTimeline, CausesAndLinesAddUpToTheIdleTime) {
  std::mt19937 random(99);
  for (int round = 0; round < 20; ++round) {
    std::string body;
    uint64_t gpu = 50, host = 10;
    for (int i = 0; i < 200; ++i) {
      gpu += random() % 60;
      body += kernel(gpu, gpu + random() % 50, static_cast<int>(random() % 2));
      static constexpr const char* kKinds[] = {"launch", "wait", "implicit", "module", "allocate", "launch"};
      const uint64_t length = random() % 40;
      body += call(1 + static_cast<int>(random() % 5), kKinds[random() % 6], 1 + static_cast<int>(random() % 9), host,
                   length);
      host += length + random() % 30;
    }
    for (const auto& device : timelines(body)) {
      uint64_t lines = 0, gaps = 0, host = 0;
      for (const auto& line : device.host_lines) host += line.idle_ns;
      EXPECT_EQ(host, device.idle_ns - device.end_effects_ns());
      for (const auto& line : device.lines) lines += line.idle_ns;
      for (const auto& gap : device.gaps) gaps += gap.interval.length();
      EXPECT_EQ(lines, device.idle_ns);
      EXPECT_EQ(gaps, device.idle_ns);
      EXPECT_EQ(std::accumulate(device.idle_by_cause.begin(), device.idle_by_cause.end(), uint64_t{0}), device.idle_ns);
      EXPECT_EQ(device.busy_ns + device.idle_ns, device.covered_ns);
    }
  }
}

// What the host did in the idle time of the first device: "doing line ns", greatest first.
std::vector<std::string> host_lines(const std::string& body) {
  std::vector<std::string> lines;
  const auto devices = timelines(body);
  for (const auto& line : devices.at(0).host_lines)
    lines.push_back(std::string(to_string(line.doing)) + " " + std::to_string(line.place.line) + " " +
                    std::to_string(line.idle_ns / 1000));
  return lines;
}

TEST(HostTime, AWaitIsToldApartFromTheWorkThatItExposes) {
  // The device drains at 200, the wait returns at 210, an allocation takes 60, code runs until the launch at 800.
  const std::string host = call(1, "wait", 1, 120, 90) + call(4, "allocate", 4, 220, 60) + call(2, "launch", 2, 800, 5);
  const std::vector<std::string> expected{"host code 20 520", "allocating 40 60", "waiting 10 10", "host code 40 10",
                                          "launching 20 5"};
  auto lines = host_lines(host + kernel(100, 200, 0, 1) + kernel(805, 900, 0, 2));
  EXPECT_EQ(lines, expected);
}

TEST(HostTime, CodeNamesTheCallsOnBothSidesAndTheWaitBefore) {
  const auto devices =
      timelines(call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 800, 5) + kernel(100, 200) + kernel(810, 900));
  const auto& line = devices.at(0).host_lines.at(0);
  EXPECT_EQ(line.before.line, 10u);
  EXPECT_EQ(line.place.line, 20u);
  EXPECT_EQ(line.preceding_wait.line, 10u);
  EXPECT_EQ(line.preceding_wait_api, "cuCtxSynchronize");
}

TEST(HostTime, SamplesSayWhereTheCodeWas) {
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  std::string samples;
  for (int i = 0; i < 10; ++i)  // 210 to 1210: line 50 sleeps for 300 us, line 60 runs for 700
    samples += "sample state=" + std::string(i < 3 ? "asleep" : "running") + " stack=" + (i < 3 ? "5" : "6") +
               " tid=1" + us("time", 260 + 100 * static_cast<uint64_t>(i)) + "\n";
  samples += "sample state=running stack=7 tid=1" + us("time", 1300) + "\n";  // the device is busy then
  const std::vector<std::string> expected{"host code 60 700", "host code 50 300", "waiting 10 10", "launching 20 5"};
  EXPECT_EQ(host_lines(host + samples + kernel(100, 200, 0, 1) + kernel(1215, 1400, 0, 2)), expected);
}

TEST(HostTime, AThreadThatRunsTellsMoreThanOneThatWaitsForIt) {
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  const std::string samples = "sample state=lock stack=5 tid=1" + us("time", 700) +
                              "\nsample state=running stack=6 tid=2" + us("time", 710) + "\n";
  EXPECT_EQ(host_lines(host + samples + kernel(100, 200) + kernel(1220, 1400)).at(0), "host code 60 1000");
}

// A step of two launches, 400 us apart: what a framework does between them is no launching.
TEST(HostTime, CodeBetweenFewLaunchesIsNoLaunching) {
  std::string body;
  for (uint64_t i = 0; i < 8; ++i)
    body += "call api=2 class=launch flags=in-window stack=9" + us("begin", 100 + 400 * i) + us("duration", 4) + "\n" +
            kernel(105 + 400 * i, 107 + 400 * i, 0, static_cast<int>(i + 1));
  EXPECT_EQ(host_lines(body).at(0), "host code 90 " + std::to_string(7 * (400 - 7)));
  EXPECT_EQ(timelines(body).at(0).gaps.at(0).cause, IdleCause::kHostWork);
}

TEST(HostTime, OneLaunchAfterTheOtherIsLaunching) {
  std::string body;
  for (uint64_t i = 0; i < 8; ++i)
    body += "call api=2 class=launch flags=in-window stack=9" + us("begin", 100 + 10 * i) + us("duration", 4) + "\n" +
            kernel(105 + 10 * i, 107 + 10 * i, 0, static_cast<int>(i + 1));
  const std::vector<std::string> expected{"launching 90 49", "starting 0 7"};
  EXPECT_EQ(host_lines(body), expected);
}

TEST(GpuTimeline, AWindowKnowsItsEndAndNotWhatRanBeforeIt) {
  const auto trace = test::trace_of(
      "trace timeline=1 end=9000000\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\napi id=2 "
      "text=\"cuLaunchKernel\"\n" +
      test::plain_stacks(9) + "window begin=1000000 end=2000000\nwindow begin=5000000 end=6000000\n" +
      kernel(1200, 1300) + kernel(1500, 1600) + kernel(3000, 3500) + kernel(5000, 5500) + kernel(5900, 6100));
  const auto devices = timeline::build_gpu_timelines(trace, test::places_of(trace));
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].covered_ns, 800000u + 1000000u) << "from the first work of each window to its end";
  EXPECT_EQ(devices[0].busy_ns, 200000u + 600000u)
      << "what lies outside windows, and what reaches over an end, is left out";
  EXPECT_EQ(devices[0].gaps.size(), 3u);
}

// CUPTI leaves the process between windows, and its numbers begin again with 1 when it comes back.
TEST(GpuTimeline, TheSameNumberInTwoWindowsIsTwoLaunches) {
  std::string body = "window begin=1000000 end=3000000\nwindow begin=5000000 end=7000000\n";
  for (const uint64_t window : {1000, 5000})
    for (int i = 0; i < 4; ++i) {
      const uint64_t begin = window + 100 + 400 * static_cast<uint64_t>(i);
      body += "call api=2 class=launch flags=in-window stack=9" + us("begin", begin) + us("duration", 4) + "\n" +
              kernel(begin + 10, begin + 60, 0, i + 1);
    }
  const auto trace = test::trace_of(
      "trace timeline=1 end=9000000\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
      "api id=2 text=\"cuLaunchKernel\"\n" +
      test::plain_stacks(9) + body);
  const auto devices = timeline::build_gpu_timelines(trace, test::places_of(trace));
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].starts, 6u) << "three gaps in each window end with a launch";
  EXPECT_EQ(devices[0].median_start_ns, 6000u);
  EXPECT_EQ(devices[0].idle_by_doing[static_cast<size_t>(timeline::HostDoing::kStarting)], 6u * 6000);
}

// Where graphs are used, CUPTI records on until it leaves: those kernels have no listed launch.
TEST(GpuTimeline, KernelsRecordedAfterAWindowLeaveItsLaunchesKnown) {
  std::string body = "window begin=1000000 end=3000000\n";
  for (int i = 0; i < 4; ++i) {
    const uint64_t begin = 1100 + 400 * static_cast<uint64_t>(i);
    body += "call api=2 class=launch flags=in-window stack=9" + us("begin", begin) + us("duration", 4) + "\n" +
            kernel(begin + 10, begin + 60, 0, i + 1);
  }
  for (int i = 0; i < 1000; ++i) {
    const uint64_t begin = 3100 + 10 * static_cast<uint64_t>(i);
    if (i % 500 == 0) body += "chunk tid=2\n";  // a chunk holds 1,000 records
    body += kernel(begin, begin + 5, 0, i + 5);
  }
  const auto trace = test::trace_of(
      "trace timeline=1 end=19000000\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
      "api id=2 text=\"cuLaunchKernel\"\n" +
      test::plain_stacks(9) + body);
  const auto devices = timeline::build_gpu_timelines(trace, test::places_of(trace));
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].starts, 3u) << "three gaps end with a launch";
  EXPECT_EQ(devices[0].median_start_ns, 6000u);
}

TEST(GpuClock, IsLinearBetweenPairs) {
  auto pair = [](uint64_t mono, uint64_t cupti) {
    trace::ClockPairRecord record{};
    record.monotonic_ns = mono;
    record.cupti_ns = cupti;
    return record;
  };
  EXPECT_EQ(timeline::GpuClock({}).monotonic(77), 77u);
  EXPECT_EQ(timeline::GpuClock({pair(100, 1000100)}).monotonic(1000150), 150u);
  const timeline::GpuClock clock({pair(100, 1000), pair(300, 1100), pair(1300, 2100)});
  EXPECT_EQ(clock.monotonic(1050), 200u);
  EXPECT_EQ(clock.monotonic(1600), 800u);
  EXPECT_EQ(clock.monotonic(2200), 1400u);
  EXPECT_EQ(clock.monotonic(950), 0u);
}

}  // namespace
}  // namespace syncsniff
