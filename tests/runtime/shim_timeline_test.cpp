// CUPTI's side and NVTX ranges.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

class TimelineTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["SYNCSNIFF_TIMELINE"] = "full";
  }
};

TEST_F(TimelineTest, RecordsWhatCuptiSays) {
  const ScannedTrace trace = record("proc", "wait_for_stream");
  EXPECT_EQ(trace.header.timeline_mode, 2u);
  bool kernel = false, copy = false, set = false;
  for (const auto& work : trace.gpu_work) {
    if (work.kind == static_cast<uint8_t>(trace::GpuWorkKind::kKernel)) {
      kernel = true;
      EXPECT_EQ(trace.strings.at(work.name), "_Z4stepPf");
      EXPECT_EQ(work.grid[0], 3u);
      EXPECT_EQ(work.block_threads, 256u);
      EXPECT_EQ(work.stream, 7u);
    }
    copy |= work.kind == static_cast<uint8_t>(trace::GpuWorkKind::kCopyH2D) && work.bytes == 4096;
    set |= work.kind == static_cast<uint8_t>(trace::GpuWorkKind::kSet) && work.bytes == 64;
  }
  EXPECT_TRUE(kernel && copy && set);
  ASSERT_GE(trace.clock_pairs.size(), 2u);
  for (const auto& pair : trace.clock_pairs)
    EXPECT_NEAR(static_cast<double>(pair.cupti_ns - pair.monotonic_ns), 1e12, 1e5);
  EXPECT_EQ(trace.calls_of("cuLaunchKernel").size(), 15u) << "a full timeline lists launches";
}

TEST_F(TimelineTest, ListsWhatStreamsWaitFor) {
  const auto waits = record("proc", "wait_for_event").calls_of("cuStreamWaitEvent");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_NE(waits[0].stack, 0u);
  EXPECT_FALSE(waits[0].flags & trace::kBlocked);
}

// A client of 0.4 s and windows that may cost it everything: the first opens after 8 ms.
class WindowsTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["SYNCSNIFF_TIMELINE"] = "windows";
    environment_["SYNCSNIFF_BUDGET"] = "100";
    environment_["FAKE_CUDA_KERNEL_US"] = "20";
  }
  ScannedTrace record_windows() {
    finished_ = run({client("syncsniff_windowed_client"), "400"}, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    return scan_trace(trace_);
  }
};

bool lies_in_window(const ScannedTrace& trace, uint64_t time_ns) {
  for (const auto& window : trace.windows)
    if (time_ns >= window.begin_ns && time_ns < window.end_ns) return true;
  return false;
}

TEST_F(WindowsTest, ListEveryCallInThemAndCountAll) {
  bool has_windows_of_calls = false;
  for (int i = 0; i < 5 && !has_windows_of_calls; ++i) {
    std::filesystem::remove(trace_);
    const ScannedTrace trace = record_windows();
    EXPECT_EQ(trace.header.timeline_mode, 1u);
    EXPECT_EQ(trace.header.window_turn % 2, 0u);
    size_t inside = 0, outside = 0;
    for (const auto& call : trace.calls_of("cuLaunchKernel")) {
      EXPECT_TRUE(call.flags & trace::kInWindow);
      EXPECT_NE(call.stack, 0u);
      ++(lies_in_window(trace, call.begin_ns) ? inside : outside);
    }
    EXPECT_EQ(static_cast<double>(trace.count_of("cuLaunchKernel")), finished_.numbers("launches").at(0));
    if (trace.windows.empty()) continue;  // no processor was to be had for the shim's thread
    EXPECT_LT(inside + outside, trace.count_of("cuLaunchKernel")) << "windows are not the whole run";
    EXPECT_FALSE(trace.gpu_work.empty());
    EXPECT_GE(trace.clock_pairs.size(), 2u);
    // Some begin while a window is being opened or closed: on a loaded machine for longer than the window lasts.
    has_windows_of_calls = inside > 100 && outside < inside / 5;
  }
  EXPECT_TRUE(has_windows_of_calls);
}

// CUPTI is loaded in mid-run, so its own end is registered after ours was: a flush after it crashed programs as they
// left.
TEST_F(WindowsTest, LetGoOfCuptiBeforeItEnds) {
  for (const char* ms : {"60", "100", "160", "250"}) {  // with a window open at exit, and with none
    std::filesystem::remove(trace_);
    finished_ = run({client("syncsniff_windowed_client"), ms}, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    const ScannedTrace trace = scan_trace(trace_);
    EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kExit));
    for (const auto& window : trace.windows) EXPECT_NE(window.end_ns, 0u);
  }
}

// What a program does as it ends is no idle time of its steps.
TEST_F(WindowsTest, OneThatIsOpenAtTheEndEndsWithTheLastLaunch) {
  size_t open_at_end = 0;
  for (const char* ms : {"60", "70", "80", "160"}) {
    std::filesystem::remove(trace_);
    finished_ = run({client("syncsniff_windowed_client"), ms, "lingers"}, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    const auto last_ns = static_cast<uint64_t>(finished_.numbers("last_launch").at(0));
    for (const auto& window : scan_trace(trace_).windows) {
      EXPECT_GE(window.end_ns, window.begin_ns);
      const bool is_cut = window.end_ns + 10000000 > last_ns && window.end_ns - window.begin_ns < 55000000;
      if (!is_cut) continue;
      ++open_at_end;
      EXPECT_LE(window.end_ns, last_ns + 40000000);
    }
  }
  EXPECT_GE(open_at_end, 1u);
}

// At the usual budget, and with a CUPTI that takes as long as the real one.
TEST_F(WindowsTest, ARunOfHalfASecondHasOne) {
  environment_["SYNCSNIFF_BUDGET"] = "2";
  environment_["FAKE_CUPTI_COMES_MS"] = "15";
  finished_ = run({client("syncsniff_windowed_client"), "700"}, environment_);
  const ScannedTrace trace = scan_trace(trace_);
  ASSERT_EQ(trace.windows.size(), 1u) << "the next one would be due after more than a second";
  EXPECT_FALSE(trace.gpu_work.empty());
}

TEST_F(WindowsTest, HeldCuptiIsANoteAndNothingIsListed) {
  environment_["FAKE_CUPTI_HELD"] = "1";
  const ScannedTrace trace = record_windows();
  EXPECT_TRUE(trace.windows.empty());
  EXPECT_TRUE(trace.calls_of("cuLaunchKernel").empty());
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("another profiler"), std::string::npos);
}

TEST_F(WindowsTest, TheProgramsProfilerGetsAllBuffersBack) {
  const Finished finished = run({client("syncsniff_profiled_client")}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  EXPECT_EQ(finished.numbers("subscribe"), std::vector<double>{0});
  for (const auto& window : scan_trace(trace_).windows) EXPECT_NE(window.end_ns, 0u);
}

TEST_F(WindowsTest, AProfilerBeforeTheFirstWindowIsTold) {
  environment_["SYNCSNIFF_BUDGET"] = "0.1";
  EXPECT_EQ(run({client("syncsniff_profiled_client")}, environment_).numbers("subscribe"), std::vector<double>{0});
  const ScannedTrace trace = scan_trace(trace_);
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("before the first window"), std::string::npos);
}

// CUPTI in the process slows each launch down, window or not: it leaves after a window and comes back for the next.
class DetachTest : public WindowsTest {
 protected:
  // ms in which, on a loaded machine too, the launches lose as much as CUPTI's coming cost.
  static constexpr const char* kLong = "2500";
  void SetUp() override {
    WindowsTest::SetUp();
    environment_["FAKE_CUPTI_LOG"] = log_ = folder_ + "/cupti.log";
    environment_["FAKE_CUDA_KERNEL_US"] = "1";
  }
  // How often CUPTI left, in a run of so many ms.
  size_t leaves(const std::string& way, const char* ms = "900") {
    finished_ = run({client("syncsniff_windowed_client"), ms, way}, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    size_t count = 0;
    for (const std::string& line : log_lines()) {
      count += line == "finalize";
      EXPECT_NE(line, "finalize with a buffer held");
    }
    return count;
  }
  std::vector<std::string> log_lines() const {
    std::ifstream log(log_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(log, line);) lines.push_back(line);
    return lines;
  }
  // Graph calls that overlap a time in which CUPTI is in the process and does not record.
  size_t graphs_in_danger() const {
    bool attached = false, records = false;
    size_t inside = 0, danger = 0;
    for (const std::string& line : log_lines()) {
      if (line == "attach") attached = true;
      if (line == "finalize") attached = false;
      if (line == "record" || line == "stop") records = line == "record";
      if (line.ends_with(" begins")) ++inside;
      if (attached && !records && inside != 0) ++danger;
      if (line.ends_with(" ends")) --inside;
    }
    return danger;
  }
  // Launches and makings of executable graphs that overlap a making, with CUPTI in the process or without it.
  size_t makings_beside_others(bool with_cupti) const {
    bool attached = false;
    size_t makings = 0, launches = 0, beside = 0;
    for (const std::string& line : log_lines()) {
      if (line == "attach" || line == "finalize") attached = line == "attach";
      if (line == "making begins") ++makings;
      if (line == "graph begins") ++launches;
      if (attached == with_cupti && makings != 0 && makings + launches > 1) ++beside;
      if (line == "making ends") --makings;
      if (line == "graph ends") --launches;
    }
    return beside;
  }
  size_t graph_launches() const {
    const std::vector<std::string> lines = log_lines();
    return static_cast<size_t>(std::count(lines.begin(), lines.end(), "graph ends"));
  }
  std::string log_;
};

TEST_F(DetachTest, CuptiLeavesBetweenWindows) {
  const size_t count = leaves("", kLong);
  EXPECT_GE(count, 1u);
  const ScannedTrace trace = scan_trace(trace_);
  ASSERT_GE(trace.windows.size(), 2u) << "it came back";
  EXPECT_LE(count, trace.windows.size());
  for (const auto& window : trace.windows) {
    EXPECT_NE(window.end_ns, 0u);
    const auto lies_in = [&](const auto& work) {
      const uint64_t begin_ns = work.begin_ns - 1000000000000ull;  // the fake CUPTI's clock
      return begin_ns >= window.begin_ns && begin_ns <= window.end_ns + 100000000u;
    };
    EXPECT_TRUE(std::any_of(trace.gpu_work.begin(), trace.gpu_work.end(), lies_in)) << "each window has its records";
  }
}

// Where it comes slowly (200 ms beside two GPUs), leaving costs more than the launches lose while it stays. The first
// coming, in a start-up, does not tell.
TEST_F(DetachTest, OneThatComesBackSlowlyStaysForTheNextWindow) {
  environment_["FAKE_CUPTI_COMES_MS"] = "150";
  EXPECT_EQ(leaves(""), 1u);
  EXPECT_GE(scan_trace(trace_).windows.size(), 2u);
}

// A graph that is launched while CUPTI comes, leaves or does not record fails after CUPTI has left.
TEST_F(DetachTest, GraphsAreHeldWhileItComesAndLeaves) {
  EXPECT_GE(leaves("graphs"), 1u);
  EXPECT_EQ(graphs_in_danger(), 0u);
  EXPECT_GT(graph_launches(), 100u);
}

// CUPTI crashes a program with graphs in the record of a copy.
TEST_F(DetachTest, OfAProgramWithGraphsItRecordsKernelsAlone) {
  const auto count_transfers = [&](const ScannedTrace& trace) {
    return std::count_if(trace.gpu_work.begin(), trace.gpu_work.end(), [](const auto& work) {
      return work.kind != static_cast<uint8_t>(trace::GpuWorkKind::kKernel);
    });
  };
  const auto says_so = [](const ScannedTrace& trace) {
    return std::any_of(trace.notes.begin(), trace.notes.end(), [](const std::string& note) {
      return note.find("without copies and memsets: the program uses CUDA graphs") != std::string::npos;
    });
  };
  leaves("");
  ScannedTrace trace = scan_trace(trace_);
  EXPECT_GT(count_transfers(trace), 0);
  EXPECT_FALSE(says_so(trace));
  std::filesystem::remove(trace_);
  leaves("graphs");
  trace = scan_trace(trace_);
  EXPECT_EQ(count_transfers(trace), 0);
  EXPECT_FALSE(trace.gpu_work.empty());
  EXPECT_TRUE(says_so(trace));
}

TEST_F(DetachTest, FirstGraphsInMidRunAreHeldToo) {
  EXPECT_GE(leaves("late-graphs"), 1u);
  EXPECT_EQ(graphs_in_danger(), 0u);
  EXPECT_GT(graph_launches(), 100u);
}

// CUPTI follows graphs from their making to their destruction, with callbacks whose tables are gone once it has left.
TEST_F(DetachTest, CallsThatChangeGraphsAreHeldToo) {
  EXPECT_GE(leaves("changes"), 1u);
  EXPECT_EQ(graphs_in_danger(), 0u);
  EXPECT_GT(graph_launches(), 100u);
}

// Its callback at a launch reads a table that its callback at an instantiation grows: a launch in another thread
// crashed.
TEST_F(DetachTest, ExecutableGraphsAreMadeAloneWhileItIsThere) {
  EXPECT_GE(leaves("changes"), 1u);
  EXPECT_EQ(makings_beside_others(true), 0u);
  EXPECT_GT(makings_beside_others(false), 0u) << "and only then";
}

// Where a launch stays in the driver, nobody waits for it for long: it may itself wait for that other thread.
TEST_F(DetachTest, AnExecutableGraphIsMadeBesideALaunchThatStays) {
  environment_["FAKE_CUDA_GRAPH_MS"] = "1000";
  // On a loaded machine the program may come late, when most of the 0.2 s have passed.
  double longest_ms = 0;
  for (int i = 0; i < 5 && longest_ms < 150; ++i) {
    std::filesystem::remove(log_);
    leaves("making-beside-long-graph", "1500");
    const double ms = finished_.numbers("making_ms").at(0);
    ASSERT_LT(ms, 900) << "0.2 s, after 0.5 s at most in which CUPTI wanted to leave";
    longest_ms = std::max(longest_ms, ms);
  }
  EXPECT_GE(longest_ms, 150);
}

// A graph's launch is one, its kernels are many: a window counts their records while it is open, not only after it.
TEST_F(DetachTest, AWindowOverLargeGraphsIsShort) {
  environment_["FAKE_CUDA_KERNEL_US"] = "1000";
  environment_["FAKE_CUPTI_KERNELS"] = "3000";  // in 20 ms; the budget has saved enough for 2,700
  leaves("graphs");
  const ScannedTrace trace = scan_trace(trace_);
  ASSERT_GE(trace.windows.size(), 1u);
  EXPECT_LT(trace.windows[0].end_ns - trace.windows[0].begin_ns, 55000000u) << "it would last 60 ms";
}

// What an upload puts into a graph does not survive its leaving.
TEST_F(DetachTest, AProgramThatUploadsGraphsKeepsIt) {
  EXPECT_EQ(leaves("uploads"), 0u);
  EXPECT_GT(graph_launches(), 10u);
}

// A collective on one device may wait for a graph on another, which would be held.
TEST_F(DetachTest, WithGraphsOnSeveralDevicesItStays) {
  environment_["FAKE_CUDA_DEVICES"] = "2";
  EXPECT_EQ(leaves("two-devices"), 0u);
  EXPECT_GT(graph_launches(), 100u);
}

TEST_F(DetachTest, OneOfAnOlderCudaStaysWithGraphs) {
  environment_["FAKE_CUPTI_VERSION"] = "26";
  EXPECT_EQ(leaves("graphs"), 0u);
  std::filesystem::remove(log_);
  EXPECT_GE(leaves("", kLong), 1u);
}

// Nobody waits for a part of the work: its records come, and then no more.
TEST_F(DetachTest, ItLeavesAProgramThatNeverWaits) { EXPECT_GE(leaves("unwaited", kLong), 1u); }

// Each launch of the window has its record: that no more records come need not be waited for, here for 2 s.
TEST_F(DetachTest, ItLeavesAsSoonAsEachLaunchHasItsRecord) {
  environment_["FAKE_CUPTI_KERNEL_MS"] = "500";
  EXPECT_EQ(leaves("unwaited"), 0u);
  environment_["FAKE_CUPTI_KERNELS"] = "15000";
  std::filesystem::remove(log_);
  std::filesystem::remove(trace_);
  EXPECT_GE(leaves("unwaited"), 1u);
}

// A graph's launch has many records, all with the launch's number: with graphs, too, it is known when each call has
// some. Else it is asked for until 50 ms after the window.
TEST_F(DetachTest, ItLeavesGraphsAsSoonAsEachCallHasItsRecord) {
  const auto soonest_ms = [this] {
    std::filesystem::remove(trace_);
    EXPECT_GE(leaves("unwaited-graphs", kLong), 1u);  // two windows are needed
    const ScannedTrace trace = scan_trace(trace_);
    uint64_t soonest_ns = ~0ull;
    for (size_t i = 0; i + 1 < trace.windows.size(); ++i) {  // the last one may end with the program
      uint64_t last_ns = 0;  // when records were asked for; the fake CUPTI's kernels begin at that moment
      for (const auto& work : trace.gpu_work) {
        const uint64_t begin_ns = work.begin_ns - 1000000000000ull;
        if (begin_ns < trace.windows[i + 1].begin_ns) last_ns = std::max(last_ns, begin_ns);
      }
      soonest_ns = std::min(soonest_ns, std::max(last_ns, trace.windows[i].end_ns) - trace.windows[i].end_ns);
    }
    return soonest_ns / 1000000;
  };
  EXPECT_GE(soonest_ms(), 50u);
  environment_["FAKE_CUPTI_KERNELS"] = "15000";
  EXPECT_LT(soonest_ms(), 50u);
}

// CUPTI is to leave while a graph call is inside the driver for 0.45 s: it waits, and holds the program's other graph
// calls. At 50 % of budget, as much time passes until the next window.
TEST_F(DetachTest, WaitingForAGraphCallIsChargedToTheWindows) {
  environment_["SYNCSNIFF_BUDGET"] = "50";
  environment_["FAKE_CUDA_GRAPH_MS"] = "450";
  environment_["FAKE_CUPTI_KERNELS"] = "1500";  // enough that nothing is forgiven as a start-up's
  EXPECT_GE(leaves("long-graph", kLong), 1u);
  const ScannedTrace trace = scan_trace(trace_);
  const auto graph_end_ns = static_cast<uint64_t>(finished_.numbers("graph_end").at(0));
  ASSERT_GE(trace.windows.size(), 2u);
  EXPECT_LT(trace.windows[0].end_ns + 200000000, graph_end_ns) << "it waited for 0.2 s at least";
  EXPECT_GT(trace.windows[1].begin_ns, graph_end_ns + 150000000);
}

TEST_F(DetachTest, AnOldCuptiStays) {
  environment_["FAKE_CUPTI_VERSION"] = "23";
  EXPECT_EQ(leaves(""), 0u);
}

TEST_F(WindowsTest, ATinyBudgetOpensNone) {
  environment_["SYNCSNIFF_BUDGET"] = "0.1";
  EXPECT_TRUE(record_windows().windows.empty()) << "the first would open after 8 s";
}

TEST_F(TimelineTest, OffByDefault) {
  environment_.erase("SYNCSNIFF_TIMELINE");
  const ScannedTrace trace = record("proc", "wait_for_stream");
  EXPECT_TRUE(trace.gpu_work.empty());
  EXPECT_TRUE(trace.calls_of("cuLaunchKernel").empty());
}

TEST_F(TimelineTest, HeldCuptiIsANote) {
  environment_["FAKE_CUPTI_HELD"] = "1";
  const ScannedTrace trace = record("proc", "wait_for_stream");
  EXPECT_TRUE(trace.gpu_work.empty());
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("another profiler"), std::string::npos);
}

TEST_F(TimelineTest, TheProgramsOwnProfilerWins) {
  const Finished finished = run({client("syncsniff_profiled_client")}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  EXPECT_EQ(finished.numbers("subscribe"), std::vector<double>{0});
  const ScannedTrace trace = scan_trace(trace_);
  EXPECT_FALSE(trace.gpu_work.empty());
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("own profiler"), std::string::npos);
}

#ifdef SYNCSNIFF_HAVE_NVTX
TEST_F(ShimTest, NvtxRangesAreRecorded) {
  environment_["NVTX_INJECTION64_PATH"] = shim();
  const Finished finished = run({client("syncsniff_nvtx_client")}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  const ScannedTrace trace = scan_trace(trace_);
  std::map<std::string, trace::RangeRecord> ranges;
  std::map<std::string, int> count;
  for (const auto& range : trace.ranges) {
    const std::string& name = trace.strings.at(range.name);
    ranges[name] = range;
    ++count[name.substr(0, 5) == "step " ? "step" : name];
  }
  EXPECT_EQ(finished.numbers("xla"), std::vector<double>{0}) << "XLA would name each operation";
  EXPECT_EQ(ranges.at("outer").depth, 0);
  EXPECT_EQ(ranges.at("inner").depth, 1);
  EXPECT_EQ(ranges.at("registered").color, 0xff00ff00u);
  EXPECT_EQ(trace.strings.at(ranges.at("registered").domain), "training");
  EXPECT_EQ(count.at("registered"), 101);
  EXPECT_EQ(ranges.at("across").depth, 0);
  for (const char* name : {"outer", "inner", "across", "started", "run"}) EXPECT_EQ(ranges.at(name).domain, 0u) << name;
  EXPECT_LE(ranges.at("outer").begin_ns, ranges.at("inner").begin_ns);
  EXPECT_GE(ranges.at("outer").end_ns, ranges.at("inner").end_ns);
  EXPECT_EQ(ranges.count("started"), 1u);
  EXPECT_EQ(count.at("run"), 1);
  EXPECT_EQ(count.at("step"), 200);
  EXPECT_EQ(count.at("forward"), 200);
  EXPECT_EQ(count.at("backward"), 200);
  EXPECT_EQ(count.at("layer"), 64) << "recorded until a name around it came often";
}
#endif

}  // namespace
}  // namespace syncsniff::tests
