// What samples of the host's threads say of a device's idle time.
#include <gtest/gtest.h>

#include <map>

#include "instrument/timeline/gpu_timeline.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

std::string us(const char* key, uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value * 1000); }
std::string sample(const char* state, int stack, int tid, uint64_t time) {
  return std::string("sample state=") + state + " stack=" + std::to_string(stack) + " tid=" + std::to_string(tid) +
         us("time", time) + "\n";
}
std::string call(int api, const char* kind, int stack, uint64_t begin, uint64_t length) {
  return "call api=" + std::to_string(api) + " class=" + kind + " stack=" + std::to_string(stack) + us("begin", begin) +
         us("duration", length) + "\n";
}
std::string kernel(uint64_t begin, uint64_t end) {
  return "gpu kind=kernel" + us("begin", begin) + us("end", end) + "\n";
}

// What is in the chunks of thread 1, and in those of thread 2.
timeline::DeviceTimeline timeline_of(const std::string& first, const std::string& second = "") {
  const auto trace = test::trace_of(
      "trace timeline=2\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
      "api id=1 text=\"cuCtxSynchronize\"\napi id=2 text=\"cuLaunchKernel\"\n"
      "module bias=0x100000 begin=0x100000 end=0x200000 path=\"/opt/libtorch_cpu.so\"\n"
      "stack id=20 native=0x101000\n" +
      test::plain_stacks(9) + first + (second.empty() ? "" : "chunk tid=2\n" + second));
  return timeline::build_gpu_timelines(trace, test::places_of(trace)).at(0);
}
std::vector<std::string> lines_of(const timeline::DeviceTimeline& device) {
  std::vector<std::string> lines;
  for (const auto& line : device.host_lines)
    lines.push_back(std::string(to_string(line.doing)) + " " + std::to_string(line.place.line) + " " +
                    std::to_string(line.idle_ns / 1000));
  return lines;
}

// Twenty times: a wait until the device has run dry, 500 us of code, a launch, 485 us of work.
std::string rounds(const std::string& (*samples)(int)) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    const uint64_t begin = 1000 + 1000 * static_cast<uint64_t>(i);
    body += call(1, "wait", 1, begin, 110) + call(2, "launch", 2, begin + 610, 2) + kernel(begin + 615, begin + 1100);
    body += samples(i);
  }
  return body;
}

TEST(HostSamples, CodeTooShortToBeSeenEachTimeIsToldByTheTimesThatItWasSeen) {
  const auto device = timeline_of(rounds([](int i) -> const std::string& {
    static std::string text;
    const uint64_t begin = 1000 + 1000 * static_cast<uint64_t>(i);
    return text = i % 4 == 0 ? sample("running", i == 8 ? 6 : 5, 1, begin + 300) : "";
  }));
  ASSERT_GE(device.host_lines.size(), 2u);
  // Seen in four gaps of 19, in three of them at line 50: of 500 us each three quarters, all after the wait of line 10.
  EXPECT_NEAR(static_cast<double>(device.host_lines[0].idle_ns), 0.75 * 19 * 500000, 20000);
  EXPECT_EQ(device.host_lines[0].place.line, 50u);
  EXPECT_EQ(device.host_lines[0].preceding_wait.line, 10u);
  EXPECT_NEAR(static_cast<double>(device.host_lines[1].idle_ns), 0.25 * 19 * 500000, 20000);
  EXPECT_EQ(device.host_lines[1].place.line, 60u);
  uint64_t all = 0;
  for (const auto& line : device.host_lines) all += line.idle_ns;
  EXPECT_EQ(all, device.idle_ns);
}

TEST(HostSamples, OneSampleSaysNothingOfTheTimesThatNoneWasTaken) {
  const auto device = timeline_of(rounds([](int i) -> const std::string& {
    static std::string text;
    return text = i == 3 ? sample("running", 5, 1, 4300) : "";
  }));
  EXPECT_EQ(device.host_lines.at(0).place.line, 20u);
  EXPECT_EQ(device.host_lines.at(0).before.line, 10u);
}

// The other thread is looked at 180 us later: that is one look, and not half of the time each.
TEST(HostSamples, ThreadsThatAreReadOneAfterTheOtherAreOneLook) {
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  std::string samples;
  for (uint64_t time = 250; time < 1200; time += 300)
    samples += sample("running", 6, 1, time) + sample("lock", 5, 2, time + 180);
  const auto lines = lines_of(timeline_of(host + samples + kernel(100, 200) + kernel(1220, 1400)));
  EXPECT_EQ(lines.at(0), "host code 60 1000");
  for (const std::string& line : lines) EXPECT_EQ(line.find("host code 50"), std::string::npos);
}

TEST(HostSamples, WhileOneThreadIsInACallAnotherThatWaitsTellsNothing) {
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  const std::string samples = "sample in_call=1 stack=3 tid=1" + us("time", 500) + "\n" + sample("lock", 5, 2, 600);
  const auto device = timeline_of(host + samples + kernel(100, 200) + kernel(1220, 1400));
  EXPECT_EQ(device.host_lines.at(0).place.line, 20u);
  EXPECT_EQ(device.host_lines.at(0).before.line, 10u);
}

// Thread 2 has no line of the program: what it launches is told at line 70, where thread 1 waits for it.
TEST(HostSamples, AWorkersLaunchesAreNamedByTheLineThatWaitsForThem) {
  std::string samples, launches, kernels;
  for (uint64_t i = 0; i < 30; ++i) {
    launches += "call api=2 class=launch stack=20" + us("begin", 1000 + 10 * i) + us("duration", 4) + "\n";
    kernels += kernel(1005 + 10 * i, 1007 + 10 * i);
  }
  for (uint64_t time = 900; time < 1400; time += 100) samples += sample("lock", 7, 1, time);
  const auto waited = timeline_of(samples + kernels, "thread text=\"engine\"\n" + launches);
  EXPECT_EQ(waited.host_lines.at(0).doing, timeline::HostDoing::kLaunching);
  EXPECT_EQ(waited.host_lines.at(0).place.line, 70u);
  std::string running = samples;
  for (size_t at; (at = running.find("lock")) != std::string::npos;) running.replace(at, 4, "running");
  const auto busy = timeline_of(running + kernels, "thread text=\"engine\"\n" + launches);
  EXPECT_TRUE(busy.host_lines.at(0).place.file.empty() || busy.host_lines.at(0).place.line != 70)
      << "a thread that runs waits for nobody";
}

// step() of line 10 launches; beneath it collate() of lines 110 and 120 calls encode() of line 210. Neither calls CUDA.
TEST(HostSamples, AFunctionThatNeverCallsCudaIsOneRowWithAllThatItCalls) {
  const std::string functions =
      "symbol address=0x11000 line=110 function=\"collate(int)\" file=\"/home/u/src/data.cpp\"\n"
      "symbol address=0x11100 line=120 function=\"collate(int)\" file=\"/home/u/src/data.cpp\"\n"
      "symbol address=0x11200 line=210 function=\"encode(int)\" file=\"/home/u/src/data.cpp\"\n"
      "stack id=31 native=0x11000,0x10100\nstack id=32 native=0x11100,0x10100\n"
      "stack id=33 native=0x11200,0x11100,0x10100\n";
  const auto device = timeline_of(functions + rounds([](int i) -> const std::string& {
                                    static std::string text;
                                    const uint64_t begin = 1000 + 1000 * static_cast<uint64_t>(i);
                                    // One in eight is at a line of step() itself.
                                    const int stack = i % 8 == 7 ? 5 : i % 2 == 0 ? 33 : i % 4 == 1 ? 31 : 32;
                                    return text = sample("running", stack, 1, begin + 300);
                                  }));
  ASSERT_GE(device.host_lines.size(), 2u);
  const timeline::HostLine& piece = device.host_lines[0];
  EXPECT_EQ(piece.place.function, "collate(int)");
  EXPECT_EQ(piece.place.line, 120u) << "the line of it with the most time, its callee's among it";
  EXPECT_NEAR(static_cast<double>(piece.idle_ns), 17 * 500000, 600000);
  ASSERT_EQ(piece.lines.size(), 3u);
  EXPECT_EQ(piece.lines[0].place.line, 210u);
  EXPECT_NEAR(piece.lines[0].share, 10.0 / 17, 0.06);
  EXPECT_EQ(device.host_lines[1].place.line, 50u) << "a function that launches has a row for each line";
  EXPECT_TRUE(device.host_lines[1].lines.empty());
}

// Two backward passes of one network: the engine launches from one call path for line 70, after a call of line 10, and
// for line 80, after one of line 20.
TEST(HostSamples, OfTwoLinesThatWaitByTurnsTheLastCallTellsWhich) {
  std::string first, launches;
  for (uint64_t turn = 0; turn < 10; ++turn) {
    const uint64_t begin = 1000 + 1000 * turn;
    const int line = turn % 2 == 0 ? 1 : 2;
    first += call(2, "launch", line, begin, 4) + kernel(begin + 5, begin + 7);
    first += sample("lock", 6 + line, 1, begin + 300);
    for (uint64_t i = 0; i < 5; ++i) {
      launches += call(2, "launch", 20, begin + 200 + 10 * i, 4);
      first += kernel(begin + 205 + 10 * i, begin + 207 + 10 * i);
    }
  }
  const auto device = timeline_of(first, "thread text=\"engine\"\n" + launches);
  std::map<uint32_t, uint64_t> made;
  for (const auto& line : device.host_lines)
    if (line.doing == timeline::HostDoing::kLaunching && line.thread == "engine")
      made[line.place.line] += line.launches;
  EXPECT_EQ(made[70], 25u);
  EXPECT_EQ(made[80], 25u);
  EXPECT_EQ(made.size(), 2u) << "none without a line";
}

std::string other(const char* state, int stack, int tid, int turns, uint64_t time) {
  return std::string("other state=") + state + " stack=" + std::to_string(stack) + " tid=" + std::to_string(tid) +
         " turns=" + std::to_string(turns) + us("time", time) + "\n";
}

// In each of twenty pauses thread 1 waits at line 50; `others`: what else is seen in pause i, 10 us later.
std::vector<timeline::OtherWork> meanwhile(const std::string& (*others)(int, uint64_t)) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    const uint64_t begin = 1000 + 1000 * static_cast<uint64_t>(i);
    body += call(1, "wait", 1, begin, 110) + call(2, "launch", 2, begin + 610, 2) + kernel(begin + 615, begin + 1100);
    body += sample("lock", 5, 1, begin + 300) + others(i, begin + 310);
  }
  const auto device = timeline_of(body);
  EXPECT_EQ(device.host_lines.at(0).place.line, 50u);
  return device.host_lines.at(0).meanwhile;
}

TEST(Meanwhile, TheThreadThatRunsIsNamedBeforeThoseThatSleep) {
  const auto works = meanwhile([](int i, uint64_t time) -> const std::string& {
    static std::string text;
    return text = other("running", 6, 7, 0, time) + other("asleep", 8, 8, i, time + 5);
  });
  ASSERT_EQ(works.size(), 1u) << "what sleeps is not asked where another thread runs";
  EXPECT_EQ(works[0].place.line, 60u);
  EXPECT_EQ(works[0].state, trace::HostState::kRunning);
  EXPECT_NEAR(works[0].share, 1, 0.1);
  EXPECT_EQ(works[0].threads, 1u);
}

TEST(Meanwhile, OfThoseThatSleepOnlyTheOneThatGoesOnIsNamed) {
  const auto works = meanwhile([](int i, uint64_t time) -> const std::string& {
    static std::string text;
    return text = other("asleep", 6, 7, 3, time) + other("asleep", 8, 8, 10 + i, time + 5);
  });
  ASSERT_EQ(works.size(), 1u);
  EXPECT_EQ(works[0].place.line, 80u);
  EXPECT_EQ(works[0].state, trace::HostState::kAsleep);
}

TEST(Meanwhile, ThreadsThatTakeTurnsInOneFunctionAreOneWork) {
  const auto works = meanwhile([](int i, uint64_t time) -> const std::string& {
    static std::string text;
    return text = other("running", 6, 7 + i % 4, 0, time);
  });
  ASSERT_EQ(works.size(), 1u);
  EXPECT_NEAR(works[0].share, 1, 0.1);
  EXPECT_EQ(works[0].threads, 4u);
  EXPECT_NEAR(works[0].at_once, 1, 0.01);
}

std::string in_process(const std::string& sample, int pid) {
  return sample.substr(0, sample.size() - 1) + " pid=" + std::to_string(pid) + "\n";
}

TEST(Meanwhile, ProcessesThatDoOneWorkAreOneEntry) {
  const auto works = meanwhile([](int, uint64_t time) -> const std::string& {
    static std::string text;
    return text = in_process(other("running", 6, 71, 0, time), 71) + in_process(other("running", 6, 72, 0, time), 72) +
                  other("running", 8, 9, 0, time);
  });
  ASSERT_EQ(works.size(), 2u);
  for (const auto& work : works) {
    EXPECT_EQ(work.place.line, work.is_elsewhere ? 60u : 80u);
    EXPECT_EQ(work.threads, work.is_elsewhere ? 2u : 1u);
    EXPECT_NEAR(work.at_once, work.is_elsewhere ? 2 : 1, 0.01);
  }
  EXPECT_NE(works[0].is_elsewhere, works[1].is_elsewhere);
}

TEST(Meanwhile, OfAProcessWithoutLinesTheNameIsTold) {
  const auto works = meanwhile([](int i, uint64_t time) -> const std::string& {
    static std::string text;
    return text = (i == 0 ? "process pid=71 name=\"decode\"\n" : "") + in_process(other("running", 0, 71, 0, time), 71);
  });
  ASSERT_EQ(works.size(), 1u);
  EXPECT_TRUE(works[0].place.file.empty());
  EXPECT_EQ(works[0].process, "decode");
}

// What forked a worker is on the worker's stack, too.
TEST(Meanwhile, WhatAForkedProcessWasBegunByIsNotItsWork) {
  const auto works = meanwhile([](int i, uint64_t time) -> const std::string& {
    static std::string text;
    static const std::string codes =
        "code id=1 first_line=10 file=\"/home/u/data.py\" name=\"load\"\n"
        "code id=2 first_line=60 file=\"/usr/lib/python3.12/multiprocessing/popen_fork.py\" name=\"Popen._launch\"\n"
        "code id=3 first_line=30 file=\"/home/u/train.py\" name=\"main\"\n"
        "stack id=30 python=1:0,2:0,3:0\nstack id=31 python=2:0,3:0\n";
    return text = (i == 0 ? codes : "") + in_process(other("running", 30, 71, 0, time), 71) +
                  in_process(other("asleep", 31, 72, i, time), 72);
  });
  ASSERT_EQ(works.size(), 1u);
  EXPECT_EQ(works[0].place.file, "/home/u/data.py");
}

TEST(Meanwhile, AThreadThatIsSeldomSeenIsNotNamed) {
  EXPECT_TRUE(meanwhile([](int i, uint64_t time) -> const std::string& {
                static std::string text;
                return text = i == 5 ? other("running", 6, 7, 0, time) : "";
              }).empty());
}

// Stack 21 is that of a library's thread, in Python. Neither does it stand for the engine, which it knows nothing of,
// nor is its waiting for work what the host does.
TEST(HostSamples, ALibrarysThreadThatWaitsTellsNothing) {
  const std::string library =
      "code id=9 first_line=5 file=\"/usr/lib/python3/dist-packages/torch/pin_memory.py\" name=\"loop\"\n"
      "stack id=21 python=9:0\n";
  std::string samples, launches, kernels;
  for (uint64_t i = 0; i < 30; ++i) {
    launches += call(2, "launch", 20, 1000 + 10 * i, 4);
    kernels += kernel(1005 + 10 * i, 1007 + 10 * i);
  }
  for (uint64_t time = 900; time < 1400; time += 100)
    samples += sample("poll", 21, 3, time) + sample("lock", 7, 1, time + 20);
  const auto device = timeline_of(library + samples + kernels, "thread text=\"engine\"\n" + launches);
  EXPECT_EQ(device.host_lines.at(0).place.line, 70u);
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  const auto waiting = timeline_of(library + host + sample("poll", 21, 3, 700) + sample("running", 5, 1, 1300) +
                                   kernel(100, 200) + kernel(1220, 1400));
  EXPECT_EQ(waiting.host_lines.at(0).place.line, 20u) << "the code before the launch, as without a sample";
}

// Of a thread that has lines, a sample whose Python frames could not be read is passed over: the next one stands for
// it.
TEST(HostSamples, OneWithoutALineIsPassedOver) {
  const std::string host = call(1, "wait", 1, 120, 90) + call(2, "launch", 2, 1210, 5);
  const std::string samples = sample("running", 5, 1, 400) + sample("running", 20, 1, 700) + sample("lock", 6, 2, 710) +
                              sample("running", 5, 1, 1000);
  const auto lines = lines_of(timeline_of(host + samples + kernel(100, 200) + kernel(1220, 1400)));
  EXPECT_EQ(lines.at(0), "host code 50 1000");
}

}  // namespace
}  // namespace syncsniff
