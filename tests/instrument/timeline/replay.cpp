// Hand-made timelines whose right answer can be worked out on paper. Times in ns.
#include "instrument/timeline/replay.h"

#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff::timeline {
namespace {

HostItem enqueue(double host, double device, uint32_t operations, double gap = 0) {
  HostItem item;
  item.act = HostAct::kEnqueue;
  item.gap_ns = gap, item.host_ns = host, item.device_ns = device, item.operations = operations;
  return item;
}

HostItem wait(uint32_t strand, double gap = 0) {
  HostItem item;
  item.act = HostAct::kWait;
  item.gap_ns = gap, item.strand = strand;
  return item;
}

HostItem copy(uint32_t strand, double transfer) {
  HostItem item;
  item.act = HostAct::kCopy;
  item.device_ns = transfer, item.strand = strand;
  return item;
}

std::vector<HostItem> repeat(const std::vector<HostItem>& step, int times) {
  std::vector<HostItem> items;
  for (int i = 0; i < times; ++i) {
    items.insert(items.end(), step.begin(), step.end());
    items[items.size() - step.size()].first_of_step = true;
  }
  return items;
}

TEST(Replay, AWaitWithNothingAfterItSavesNothing) {
  // Device 900 a step, host 100: with or without the wait the device is the bottleneck.
  const auto items = repeat({enqueue(100, 900, 1000), wait(0)}, 10);
  EXPECT_NEAR(play(items, {}), 9000, 10);
  EXPECT_NEAR(play(items, {{0}, {}}), 9000, 10);
}

TEST(Replay, HostWorkAfterAWaitIsWhatTheWaitCosts) {
  // 400 of host work after each wait leave the device idle; without the wait they run beside its 900.
  const auto items = repeat({enqueue(100, 900, 1000, 400), wait(0)}, 10);
  EXPECT_NEAR(play(items, {}), 13000, 10);
  EXPECT_NEAR(play(items, {{0}, {}}), 400 + 9000, 10);
}

TEST(Replay, AHostThatIsTheBottleneckSavesTheWaitsOwnTime) {
  // Host 1000 a step in Python, device 100, and the wait holds the host for what the device needs.
  const auto items = repeat({enqueue(10, 100, 1, 990), wait(0)}, 10);
  EXPECT_NEAR(play(items, {}), 11000, 10);  // the operation ends its own length after it was issued
  EXPECT_NEAR(play(items, {{0}, {}}), 10100, 10);
}

TEST(Replay, ABlockingCopyOnAnEmptyDeviceIsOverlappedWhole) {
  const auto items = repeat({copy(1, 50000), enqueue(10000, 200000, 1000), wait(0)}, 10);
  const double base = play(items, {});
  EXPECT_NEAR(base, 2500000, 3000);
  EXPECT_NEAR(base - play(items, {{1}, {}}), 10 * (50000 - 4000), 3000);  // an asynchronous call stays
}

TEST(Replay, RemovingOneOfTwoWaitsMovesTheTimeToTheOther) {
  const auto items = repeat({enqueue(100, 500, 1000), wait(0), enqueue(100, 500, 1000), wait(1)}, 10);
  const double base = play(items, {});
  EXPECT_NEAR(base, 10000, 50);
  EXPECT_NEAR(play(items, {{0}, {}}), base, 50);
  EXPECT_NEAR(play(items, {{0, 1}, {}}), base, 50);
}

TEST(Replay, MergedLaunchesGiveBackTheirHostTime) {
  const auto items = repeat({enqueue(100000, 20000, 20), wait(0)}, 10);
  WhatIf change;
  change.merged.push_back({20, 100000, 1});
  EXPECT_NEAR(play(items, {}) - play(items, change), 10 * 95000, 10000);
  change.merged[0].left = 20;
  EXPECT_EQ(play(items, {}), play(items, change));
}

// From a trace: copy 480, 38 launches in 150 us and a wait of 540, 80 launches in 280 us and a wait of 980.
std::string trainer_trace(int steps) {
  std::string text =
      "trace start=1 end=900000000\nchunk tid=1\napi id=1 text=\"cuMemcpyHtoDAsync_v2\"\n"
      "api id=2 text=\"cuMemcpyDtoH_v2\"\napi id=3 text=\"cuCtxSynchronize\"\n" +
      test::plain_stacks(4);
  for (int i = 0; i < steps; ++i) {
    const int t = 1000000 + 2450000 * i;
    auto at = [&](int offset) { return std::to_string(t + offset); };
    text += "call api=1 class=copy flags=blocked src=pageable dst=device stack=1 begin=" + at(0) +
            " duration=480000 bytes=8388608\nburst launches=38 begin=" + at(490000) + " end=" + at(640000) +
            " first_stack=4 last_stack=4\ncall api=2 class=copy flags=blocked,drained src=device dst=pageable stack=2 "
            "begin=" +
            at(641000) + " duration=540000 bytes=4\nburst launches=80 begin=" + at(1188000) + " end=" + at(1468000) +
            " first_stack=4 last_stack=4\ncall api=3 class=wait flags=blocked,drained stack=3 "
            "begin=" +
            at(1469000) + " duration=980000\n";
  }
  return text;
}

TEST(Replay, BuiltFromATraceGivesTheRecordedTime) {
  const auto trace = test::trace_of(trainer_trace(20));
  const auto places = test::places_of(trace);
  const auto steps = find_steps(trace, places);
  ASSERT_TRUE(steps.found());
  const auto strands = build_strands(trace, places, steps);
  const Replay replay = build_replay(trace, steps, strands);
  ASSERT_TRUE(replay.usable());
  EXPECT_NEAR(replay.error(), 0, 0.01);
  auto strand = [&](uint32_t line) {
    for (uint32_t i = 0; i < strands.size(); ++i)
      if (strands[i].place.line == line && strands[i].run.calls != 0) return i;
    return kNoStrand;
  };
  EXPECT_NEAR(replay.saving_ns({{strand(10)}, {}}), 476000, 15000);  // the copy: nothing ran during it
  EXPECT_NEAR(replay.saving_ns({{strand(20)}, {}}), 15000, 10000);   // the read-back: the 7 us after it, its own call
  EXPECT_NEAR(replay.saving_ns({{strand(30)}, {}}), 2000, 4000);     // the wait: the copy after it waits instead
}

TEST(Replay, AnEmptyTraceIsNotUsable) {
  const auto trace = test::trace_of("trace start=1 end=1\n");
  EXPECT_FALSE(build_replay(trace, {}, {}).usable());
}

}  // namespace
}  // namespace syncsniff::timeline
