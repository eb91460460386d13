// The windows played again without some rows: what a fix gains where host and device hide each other's time.
#include "instrument/timeline/window_replay.h"

#include <gtest/gtest.h>

#include "instrument/timeline/remedies.h"
#include "tests/instrument/support.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kUs = 1000;
constexpr size_t kSteps = 20;

std::string us(const char* key, uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value * kUs); }
std::string call(int api, const char* kind, int stack, uint64_t begin, uint64_t length) {
  return "call api=" + std::to_string(api) + " class=" + kind + " stack=" + std::to_string(stack) + us("begin", begin) +
         us("duration", length) + "\n";
}
std::string kernel(uint64_t begin, uint64_t end, size_t number) {
  return "gpu kind=kernel device=0 correlation=" + std::to_string(number) + us("begin", begin) + us("end", end) + "\n";
}

// Four launches of one line, each after the other, and their kernels.
std::string launches(int stack, uint64_t at, uint64_t begin, uint64_t each, size_t turn) {
  std::string body;
  for (size_t i = 0; i < 4; ++i)
    body +=
        call(2, "launch", stack, at + 6 * i, 5) + kernel(begin + each * i, begin + each * (i + 1), 4 * turn + i + 1);
  return body;
}

struct Told {
  DeviceTimeline device;
  StepShare share;
  // Of the only row of this kind and line.
  double gain(HostDoing doing, uint32_t line) const {
    for (const HostLine& row : device.host_lines)
      if (row.doing == doing && row.place.line == line) return Gains(device, share).of(row) / kUs;
    return -1;
  }
};

// `body` is the whole run, in one window from 0 on; its steps are equally long.
Told tell(const std::string& body, uint64_t step_us, size_t number = kSteps) {
  Steps steps;
  for (size_t i = 0; i < number; ++i) steps.regular.push_back({i * step_us * kUs, (i + 1) * step_us * kUs});
  steps.median_ns = step_us * kUs;
  const auto trace = test::trace_of(
      "trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\napi id=1 text=\"cuCtxSynchronize\"\n"
      "api id=2 text=\"cuLaunchKernel\"\napi id=3 text=\"cuMemcpyHtoD_v2\"\n" +
      test::plain_stacks(4) + "window begin=0" + us("end", number * step_us) + " launches=0\n" + body);
  const auto places = test::places_of(trace);
  Told told;
  told.device = build_gpu_timelines(trace, places, steps).at(0);
  told.share = share_of_step(told.device, steps);
  return told;
}

// Each step: 300 us of host work, a launch, and a wait for the 200 us that the kernel takes.
Told loads_then_waits(size_t number = kSteps) {
  std::string body;
  for (size_t i = 0; i < number; ++i) {
    const uint64_t at = i * 520;
    if (i % 200 == 199) body += "chunk tid=1\n";
    body += call(2, "launch", 2, at + 300, 5) + kernel(at + 310, at + 510, i + 1) + call(1, "wait", 3, at + 305, 210);
  }
  return tell(body, 520, number);
}

TEST(WindowReplay, PlayedWithNothingChangedTakesTheRecordedTime) {
  const Told told = loads_then_waits();
  ASSERT_EQ(told.device.replay.windows.size(), 1u);
  EXPECT_TRUE(told.device.replay.usable());
  EXPECT_NEAR(told.device.replay.play({}, {}), told.device.replay.recorded_ns(), 1);
}

// 210,000 parts of the host's time: the first 200,000 tell as much.
TEST(WindowReplay, OfALongRecordingTheBeginIsPlayed) {
  const Told told = loads_then_waits(70000);
  ASSERT_EQ(told.device.replay.windows.size(), 1u);
  EXPECT_EQ(told.device.replay.windows[0].host.size(), 200000u);
  EXPECT_TRUE(told.device.replay.usable());
  EXPECT_NEAR(told.gain(HostDoing::kCode, 20), 300, 15);
}

// Sums of idle time say 5 us: the time from the kernel's end to the return.
TEST(WindowReplay, WithoutTheWaitTheHostWorksWhileTheDeviceDoes) {
  const Told told = loads_then_waits();
  EXPECT_NEAR(told.gain(HostDoing::kWaiting, 30), 210, 15);
}

TEST(WindowReplay, WorkThatTheDeviceWaitsForGainsItsTime) {
  EXPECT_NEAR(loads_then_waits().gain(HostDoing::kCode, 20), 300, 15);
}

// The device works for 480 of 500 us: without the host's 300 us it is no faster than that.
TEST(WindowReplay, WorkThatTheDeviceHidesGainsNoMoreThanTheDeviceLeaves) {
  std::string body;
  for (size_t i = 0; i < kSteps; ++i) {
    const uint64_t at = i * 500;
    body += launches(2, at + 300, at + 310, 120, i);
  }
  const double gain = tell(body, 500).gain(HostDoing::kCode, 20);
  EXPECT_GE(gain, 0);
  EXPECT_LE(gain, 35);
}

TEST(WindowReplay, ACopyThatIsMadeAsynchronousRunsBesideTheKernels) {
  std::string body;
  for (size_t i = 0; i < kSteps; ++i) {
    const uint64_t at = i * 600;
    body += call(3, "copy flags=blocked", 1, at, 205);
    body += "gpu kind=copy device=0" + us("begin", at + 2) + us("end", at + 202) + "\n";
    body += call(2, "launch", 2, at + 210, 5) + kernel(at + 220, at + 590, i + 1) + call(1, "wait", 3, at + 216, 378);
  }
  // 4 us are left for the call that enqueues it.
  EXPECT_NEAR(tell(body, 600).gain(HostDoing::kWaiting, 10), 201, 12);
}

// Each step gets a batch, launches, computes for a time that varies, launches again and waits for the next batch, which
// another thread has ready every 1,000 us; or it asks that thread for it, which then takes 400 us.
Told waits_for_a_batch(bool is_paced) {
  std::string body, samples;
  uint64_t ready = 0;
  for (size_t i = 0; i < kSteps; ++i) {
    const uint64_t computes = 200 + i * 7 % 5 * 40, done = ready + 30 + computes + 30;
    body += launches(2, ready, ready + 10, 5, 2 * i);
    body += launches(1, ready + 30 + computes, ready + 40 + computes, 5, 2 * i + 1);
    ready = is_paced ? ready + 1000 : done + 400;
    for (uint64_t time = done + 10; time < ready; time += 100)
      samples += "sample tid=1 state=lock stack=4" + us("time", time) + "\n";
  }
  return tell(body + samples, ready / kSteps);
}

TEST(WindowReplay, WhereAnotherThreadSetsThePaceNothingElseGains) {
  EXPECT_NEAR(waits_for_a_batch(true).gain(HostDoing::kCode, 10), 0, 20);
  EXPECT_NEAR(waits_for_a_batch(false).gain(HostDoing::kCode, 10), 280, 20);
}

TEST(WindowReplay, WithoutTheWaitForItThatPaceIsGone) {
  EXPECT_GT(waits_for_a_batch(true).gain(HostDoing::kCode, 40), 400);
}

}  // namespace
}  // namespace syncsniff::timeline
