// Processes that end badly, multiply or run out of room: the program goes on, and the trace holds what was seen.
#include <signal.h>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

using ProcessTest = ShimTest;

TEST_F(ProcessTest, SurvivesKill) {
  const Finished finished = run({client("syncsniff_driver_client"), "proc", "killed"}, environment_);
  EXPECT_EQ(finished.signal, SIGKILL);
  const ScannedTrace trace = scan_trace(trace_);
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 1000u);
  EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kRunning));
  EXPECT_EQ(trace.header.end_monotonic_ns, 0u);
}

TEST_F(ProcessTest, NoCudaNoTrace) {
  EXPECT_EQ(run({client("syncsniff_driver_client"), "proc", "no_init"}, environment_).exit_status, 7);
  EXPECT_EQ(run({"/bin/ls", "/"}, environment_).exit_status, 0);
  EXPECT_TRUE(traces_at(trace_).empty());
}

TEST_F(ProcessTest, NoTraceWhenInitFails) {
  environment_["FAKE_CUDA_NO_DEVICE"] = "1";
  EXPECT_EQ(run({client("syncsniff_driver_client"), "proc", "init_only"}, environment_).exit_status, 90);
  EXPECT_TRUE(traces_at(trace_).empty());
}

TEST_F(ProcessTest, ForkedChildRecordsNothing) {
  const ScannedTrace trace = record("proc", "fork_after_init");
  EXPECT_EQ(finished_.numbers("child"), std::vector<double>{0});
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 2u);
  EXPECT_EQ(traces_at(trace_).size(), 1u);
}

TEST_F(ProcessTest, ExecutedChildHasItsOwnTrace) {
  const ScannedTrace trace = record("proc", "exec_child");
  EXPECT_EQ(finished_.numbers("child"), std::vector<double>{7});
  const auto files = traces_at(trace_);
  ASSERT_EQ(files.size(), 2u);
  const ScannedTrace child = scan_trace(files[0] == trace_ ? files[1] : files[0]);
  EXPECT_EQ(child.header.ppid, trace.header.pid);
  EXPECT_EQ(child.calls_of("cuCtxSynchronize").size(), 1u);
}

TEST_F(ProcessTest, FullDiskStopsRecordingOnly) {
  environment_["SYNCSNIFF_TEST_FULL_AFTER"] = "1200000";
  environment_["SYNCSNIFF_TRACE_LIMIT_MB"] = "64";
  environment_["FAKE_CUDA_KERNEL_US"] = "1";
  const Finished bare = run({client("syncsniff_driver_client"), "proc", "fill_trace"}, environment_);
  EXPECT_EQ(bare.exit_status, 7) << bare.errors;
  EXPECT_EQ(scan_trace(trace_).header.stop_reason, static_cast<uint32_t>(trace::StopReason::kDiskFull));
}

// A file size limit raises SIGXFSZ in whoever passes it: the shim must not.
TEST_F(ProcessTest, FileSizeLimitStopsRecordingOnly) {
  const Finished finished = run({client("syncsniff_driver_client"), "proc", "fill_trace"}, environment_, 1200000);
  EXPECT_EQ(finished.exit_status, 7) << finished.signal;
  EXPECT_EQ(scan_trace(trace_).header.stop_reason, static_cast<uint32_t>(trace::StopReason::kDiskFull));
}

TEST_F(ProcessTest, SizeLimitStopsRecordingOnly) {
  environment_["SYNCSNIFF_TRACE_LIMIT_MB"] = "2";
  const Finished finished = run({client("syncsniff_driver_client"), "proc", "fill_trace"}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  const ScannedTrace trace = scan_trace(trace_);
  EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kSizeLimit));
  EXPECT_LE(std::filesystem::file_size(trace_), 2u << 20);
}

TEST_F(ProcessTest, UnwritableFolderChangesNothing) {
  environment_["SYNCSNIFF_TRACE"] = "/proc/none/run.sstrace";
  EXPECT_EQ(run({client("syncsniff_driver_client"), "proc", "wait_for_device"}, environment_).exit_status, 7);
}

}  // namespace
}  // namespace syncsniff::tests
