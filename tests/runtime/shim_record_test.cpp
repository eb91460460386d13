// What the trace says of a run, against what the program measured itself and what the fake driver was set to.
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

using RecordTest = ShimTest;
using trace::HostMemory;

// How much longer a client may measure around a call than the call took: a busy machine may take the processor between.
constexpr double kOutsideMs = 20;

uint8_t kind(HostMemory memory) { return static_cast<uint8_t>(memory); }

TEST_F(RecordTest, WaitsAreAsLongAsTheProgramSaw) {
  const ScannedTrace trace = record("proc", "wait_for_stream");
  const auto waits = trace.calls_of("cuStreamSynchronize");
  const auto measured = finished_.numbers("wait_ms");
  ASSERT_EQ(waits.size(), measured.size());
  for (size_t i = 0; i < waits.size(); ++i) {
    EXPECT_LE(ms(waits[i].duration_ns), measured[i] + 0.01);
    EXPECT_GE(ms(waits[i].duration_ns), measured[i] - kOutsideMs);
    EXPECT_TRUE(waits[i].flags & trace::kBlocked);
    EXPECT_TRUE(waits[i].flags & trace::kDrained);
  }
  ASSERT_EQ(trace.bursts.size(), 5u);
  for (const auto& burst : trace.bursts) EXPECT_EQ(burst.launches, 3u);
  EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kExit));
  EXPECT_GT(trace.header.end_monotonic_ns, trace.header.start_monotonic_ns);
  EXPECT_EQ(trace.header.driver_version, 13000u);
}

TEST_F(RecordTest, DeviceAndEventWaitsDrain) {
  EXPECT_TRUE(record("dlsym", "wait_for_device").calls_of("cuCtxSynchronize").at(0).flags & trace::kDrained);
  std::filesystem::remove(trace_);
  const ScannedTrace trace = record("dlsym", "wait_for_event");
  const auto waits = trace.calls_of("cuEventSynchronize");
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_TRUE(waits[0].flags & trace::kDrained);
  EXPECT_FALSE(waits[1].flags & trace::kDrained) << "a launch came after that event";
  EXPECT_EQ(trace.idles.size(), 1u);
  for (const char* quick : {"cuEventCreate", "cuCtxSetCurrent", "cuModuleGetFunction", "cuStreamWaitEvent"})
    EXPECT_EQ(trace.count_of(quick), 0u) << quick << " leaves nothing";
}

TEST_F(RecordTest, LookUpsAreListedWhereTheyLoad) {
  const ScannedTrace trace = record("proc", "look_ups");
  const auto loading = finished_.numbers("loading_ms");
  const auto listed = trace.calls_of("cuModuleGetFunction");
  ASSERT_GE(listed.size(), 2u);
  EXPECT_LE(listed.size(), 10u) << "the others are quick, unless the machine was busy";
  ASSERT_EQ(loading.size(), 2u);
  for (size_t i = 0; i < loading.size(); ++i) {
    const double set_ms = i == 0 ? 4 : 6;
    EXPECT_TRUE(std::any_of(listed.begin(), listed.end(),
                            [&](const trace::CallRecord& call) {
                              return ms(call.duration_ns) >= 0.99 * set_ms && ms(call.duration_ns) <= loading[i] + 0.05;
                            }))
        << "loaded in " << loading[i] << " ms";
  }
  EXPECT_EQ(trace.count_of("cuModuleGetFunction"), 0u);
}

TEST_F(RecordTest, AnEventProvesNothingOfTheOneBeforeIt) {
  const ScannedTrace trace = record("dlsym", "handle_used_again");
  ASSERT_EQ(finished_.numbers("same"), std::vector<double>{1});
  EXPECT_FALSE(trace.calls_of("cuEventSynchronize").at(0).flags & trace::kDrained);
  EXPECT_TRUE(trace.calls_of("cuStreamSynchronize").at(0).flags & trace::kDrained);
}

TEST_F(RecordTest, AnEventOfTwoStreamsByTurnsProvesNothing) {
  for (const auto& idle : record("dlsym", "recorded_by_turns").idles)
    EXPECT_LT(idle.end_ns - idle.begin_ns, 10000000u) << "a kernel of 400 ms runs";
}

TEST_F(RecordTest, SpinIsOneRecord) {
  ScannedTrace trace = record("proc", "spin_on_query");
  auto spins = trace.calls_of("cuEventQuery");
  // A busy machine may take the processor for longer than a spin's gap: then it is rightly two.
  for (int again = 0; again < 3 && spins.size() != 1; ++again) {
    std::filesystem::remove(trace_);
    trace = record("proc", "spin_on_query");
    spins = trace.calls_of("cuEventQuery");
  }
  ASSERT_EQ(spins.size(), 1u);
  EXPECT_EQ(spins[0].polls, finished_.numbers("asks").at(0));
  EXPECT_LE(ms(spins[0].duration_ns), finished_.numbers("wait_ms").at(0) + 0.01);
  EXPECT_GE(ms(spins[0].duration_ns), finished_.numbers("wait_ms").at(0) - kOutsideMs);
  EXPECT_TRUE(spins[0].flags & trace::kDrained);
  EXPECT_EQ(trace.count_of("cuEventQuery"), spins[0].polls + 1u);
}

TEST_F(RecordTest, IdleOnlyWhereItIsProvable) {
  const ScannedTrace trace = record("proc", "idle_after_wait");
  ASSERT_EQ(trace.idles.size(), 1u) << "the second wait leaves work on the other stream";
  const auto& idle = trace.idles[0];
  EXPECT_GE(ms(idle.end_ns - idle.begin_ns), 20);
  EXPECT_NEAR(ms(idle.end_ns - idle.begin_ns), finished_.numbers("idle_ms").at(0), kOutsideMs);
  EXPECT_EQ(trace.apis.at(idle.wait_api), "cuStreamSynchronize");
  EXPECT_NE(idle.wait_stack, 0u);
  EXPECT_NE(idle.enqueue_stack, 0u);
  EXPECT_NE(idle.wait_stack, idle.enqueue_stack);
}

// Two threads on one stream, a third on its own, waits for streams, events and the device: whatever is called idle was
// so. A kernel runs for as long as the fake driver was told, at least from its launch.
TEST_F(RecordTest, NothingIsIdleWhileThreadsRace) {
  constexpr double kKernelNs = 300e3, kClockNs = 5e3;
  environment_["FAKE_CUDA_KERNEL_US"] = "300";
  const ScannedTrace trace = record("proc", "racing_threads");
  const auto from = finished_.numbers("kernel_from"), back = finished_.numbers("kernel_back");
  ASSERT_EQ(from.size(), back.size());
  ASSERT_EQ(trace.count_of("cuLaunchKernel"), from.size());
  EXPECT_GT(trace.idles.size(), 5u);
  for (const auto& idle : trace.idles) {
    const auto begin = static_cast<double>(idle.begin_ns), end = static_cast<double>(idle.end_ns);
    ASSERT_LT(begin, end);
    for (size_t i = 0; i < from.size(); ++i) {
      EXPECT_FALSE(back[i] < begin && from[i] + kKernelNs > begin + kClockNs) << "a kernel still ran at its begin";
      EXPECT_FALSE(from[i] > begin + kClockNs && back[i] < end - kClockNs) << "a kernel was launched within it";
    }
  }
}

TEST_F(RecordTest, CopiesKnowTheirMemory) {
  const ScannedTrace trace = record("proc", "copies");
  unsigned pinned = 0, staged = 0;
  for (const auto& site : trace.sites_of("cuMemcpyHtoDAsync_v2")) {
    EXPECT_EQ(site.dst_memory, kind(HostMemory::kDevice));
    if (site.src_memory == kind(HostMemory::kPinned)) pinned += site.count;
    if (site.src_memory != kind(HostMemory::kPageable)) continue;
    staged += site.count;
    EXPECT_EQ(site.bytes, 1024u);
  }
  EXPECT_EQ(pinned, 2u);
  EXPECT_EQ(staged, 1u);
  const auto blocked = trace.calls_of("cuMemcpyHtoDAsync_v2");
  ASSERT_EQ(blocked.size(), 2u);
  for (const auto& call : blocked) {
    EXPECT_EQ(call.src_memory, kind(HostMemory::kPageable));
    EXPECT_TRUE(call.flags & trace::kBlocked);
    EXPECT_EQ(call.bytes, 1u << 20);
  }
  const auto read_back = trace.calls_of("cuMemcpyDtoHAsync_v2");
  ASSERT_EQ(read_back.size(), 1u);
  EXPECT_EQ(read_back[0].dst_memory, kind(HostMemory::kPageable));
  EXPECT_EQ(trace.calls_of("cuMemcpyHtoD_v2").at(0).src_memory, kind(HostMemory::kPinned));
  EXPECT_EQ(trace.calls_of("cuMemcpyDtoH_v2").size(), 1u);
  const auto by_pointers = trace.calls_of("cuMemcpyAsync");
  ASSERT_EQ(by_pointers.size(), 1u);
  EXPECT_EQ(by_pointers[0].src_memory, kind(HostMemory::kPageable));
  EXPECT_EQ(by_pointers[0].dst_memory, kind(HostMemory::kDevice));
  EXPECT_EQ(trace.allocations.size(), 4u);  // pinned and registered, made and ended
}

TEST_F(RecordTest, StacksLeadToTheProgram) {
  const ScannedTrace trace = record("proc", "wait_for_stream");
  const auto& stack = trace.stacks.at(trace.calls_of("cuStreamSynchronize").at(0).stack);
  ASSERT_GE(stack.addresses.size(), 3u);
  bool in_program = false;
  for (const auto& module : trace.modules)
    if (module.path == client("syncsniff_driver_client")) {
      EXPECT_FALSE(module.build_id.empty());
      in_program = stack.addresses[0] >= module.record.begin && stack.addresses[0] < module.record.end;
    }
  EXPECT_TRUE(in_program);
}

TEST_F(RecordTest, OneStackForEachDepth) {
  const ScannedTrace trace = record("proc", "many_records");
  std::map<uint32_t, int> by_stack;
  for (const auto& call : trace.calls_of("cuStreamSynchronize")) ++by_stack[call.stack];
  EXPECT_EQ(by_stack.size(), 30u);
  for (const auto& [stack, count] : by_stack) EXPECT_EQ(count, 200);
  EXPECT_GT(trace.chunks.size(), 5u);
}

TEST_F(RecordTest, EveryLaunchIsCountedOnceWhereverItsFrameLies) {
  const ScannedTrace trace = record("proc", "moving_frame");
  EXPECT_EQ(finished_.numbers("launches").at(0), 10000);
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 10000u);
  std::set<uint32_t> stacks;
  for (const auto& site : trace.sites_of("cuLaunchKernel")) stacks.insert(site.stack);
  EXPECT_EQ(stacks.size(), 1u) << "one line is one place, at whatever height";
}

// How many launches were counted for each of the program's own lines; the innermost frame that is its own.
std::vector<double> launches_by_line(const ScannedTrace& trace, const std::string& name) {
  const auto program = std::find_if(trace.modules.begin(), trace.modules.end(), [&](const ScannedModule& module) {
    return module.path.find(name) != std::string::npos;
  });
  if (program == trace.modules.end()) return {};
  std::map<uint64_t, double> by_line;
  for (const auto& site : trace.sites_of("cuLaunchKernel")) {
    const auto& addresses = trace.stacks.at(site.stack).addresses;
    const auto line = std::find_if(addresses.begin(), addresses.end(), [&](uint64_t address) {
      return address >= program->record.begin && address < program->record.end;
    });
    if (line != addresses.end()) by_line[*line] += static_cast<double>(site.count);
  }
  std::vector<double> counts;
  for (const auto& [line, count] : by_line) counts.push_back(count);
  std::sort(counts.begin(), counts.end());
  return counts;
}

// The frames within a library of operators are looked at now and then only; the lines that asked it, each time.
TEST_F(RecordTest, LaunchesThroughALibraryAreCountedForTheLineThatAsked) {
  const Finished finished = run({client("syncsniff_operators_client")}, environment_);
  ASSERT_EQ(finished.exit_status, 7) << finished.errors;
  const double first = finished.numbers("first").at(0), second = finished.numbers("second").at(0);
  EXPECT_EQ(launches_by_line(scan_trace(trace_), "syncsniff_operators_client"), (std::vector<double>{second, first}));
}

// A function that the library calls back looks like the library's own until one launch of it is looked at whole.
TEST_F(RecordTest, AFunctionThatALibraryCallsIsSoonNoticed) {
  const Finished finished = run({client("syncsniff_operators_client"), "call"}, environment_);
  ASSERT_EQ(finished.exit_status, 7) << finished.errors;
  const std::vector<double> counts = launches_by_line(scan_trace(trace_), "syncsniff_operators_client");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_NEAR(counts[0], finished.numbers("first").at(0), 200);
  EXPECT_NEAR(counts[1], finished.numbers("second").at(0), 200);
}

TEST_F(RecordTest, WhenTheLastLaunchBeforeAWaitEndedIsKnown) {
  environment_["FAKE_CUDA_KERNEL_US"] = "10";
  const ScannedTrace trace = record("proc", "short_bursts");
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 360u);
  const auto waits = trace.calls_of("cuStreamSynchronize");
  ASSERT_EQ(waits.size(), 60u);
  ASSERT_EQ(trace.bursts.size(), 60u);
  const auto own = finished_.numbers("own_ms");
  ASSERT_EQ(own.size(), 60u);
  int near = 0;
  for (size_t i = 30; i < 60; ++i) {
    const double before_wait = static_cast<double>(waits[i].begin_ns - trace.bursts[i].last_end_ns) / 1e6;
    near += std::abs(before_wait - own[i]) < 0.05;
    EXPECT_EQ(trace.bursts[i].launches, 6u);
  }
  EXPECT_GE(near, 24) << "of 30, on a busy machine";
}

TEST_F(RecordTest, ThreadsWriteChunksOfTheirOwn) {
  const ScannedTrace trace = record("proc", "threads");
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 200u);
  std::map<uint32_t, int> threads;
  for (const auto& chunk : trace.chunks) ++threads[chunk.tid];
  EXPECT_EQ(threads.size(), 5u);
}

TEST_F(RecordTest, CapturedWorkIsNotPending) {
  const ScannedTrace trace = record("proc", "capture");
  EXPECT_TRUE(trace.calls_of("cuStreamSynchronize").at(0).flags & trace::kDrained);
}

}  // namespace
}  // namespace syncsniff::tests
