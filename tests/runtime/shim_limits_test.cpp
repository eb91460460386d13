// Programs that may have little: of memory, stack, descriptors, disk. They go on as without us, and what could not be
// recorded is said.
#include <sys/stat.h>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

class LimitsTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["FAKE_CUDA_KERNEL_US"] = "1";
    private_ = folder_ + "/private";
    std::filesystem::create_directory(private_);
  }
  Finished limited(const std::string& limit, const std::string& scenario) {
    return run({"/bin/sh", "-c", limit + "; exec " + client("syncsniff_driver_client") + " proc " + scenario},
               environment_);
  }
  // What the shim left for the launcher to say; empty: nothing.
  std::string told() const {
    for (const auto& entry : std::filesystem::directory_iterator(private_))
      if (entry.is_symlink()) return std::filesystem::read_symlink(entry.path());
    return "";
  }
  std::string private_;
};

TEST_F(LimitsTest, ALowAddressSpaceIsMostlyThePrograms) {
  EXPECT_EQ(limited("ulimit -v 290000", "fill_trace").exit_status, 7);
  const ScannedTrace trace = scan_trace(trace_);
  EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kRunning) + 1);
  ASSERT_FALSE(trace.notes.empty());
  unsigned megabytes = 0;
  ASSERT_EQ(std::sscanf(trace.notes[0].c_str(), "the program's memory limit (ulimit -v) leaves %u MB", &megabytes), 1)
      << trace.notes[0];
  EXPECT_GE(megabytes, 4u);
  EXPECT_LE(megabytes, 290u / 16);
}

// From what it needs without us on, and some 20 MB that the library itself takes: it runs, and there is a trace or the
// reason why there is none.
TEST_F(LimitsTest, AProgramThatJustFitsRunsAndNothingIsSilent) {
  environment_["SYNCSNIFF_TRACE_FOLDER"] = private_;
  auto bare = environment_;
  bare.erase("LD_PRELOAD");
  const std::string run_it = "; exec " + client("syncsniff_driver_client") + " proc wait_for_stream";
  int least = 8000;
  while (run({"/bin/sh", "-c", "ulimit -v " + std::to_string(least) + run_it}, bare).exit_status != 7) least += 2000;
  int recorded = 0, silent = 0;
  for (int limit = least + 20000; limit <= least + 60000; limit += 4000) {
    EXPECT_EQ(limited("ulimit -v " + std::to_string(limit), "wait_for_stream").exit_status, 7) << limit;
    const bool has_trace = std::filesystem::exists(private_ + "/run.sstrace");
    recorded += has_trace;
    if (!has_trace) silent += told().find("ulimit -v") == std::string::npos;
    std::filesystem::remove_all(private_);
    std::filesystem::create_directory(private_);
  }
  EXPECT_EQ(silent, 0);
  EXPECT_GT(recorded, 0);
  EXPECT_LT(recorded, 11);
}

TEST_F(LimitsTest, AStackOf64KiBIsEnough) {
  for (const char* scenario : {"wait_for_stream", "threads", "many_records"}) {
    EXPECT_EQ(limited("ulimit -s 64", scenario).exit_status, 7) << scenario;
    EXPECT_FALSE(scan_trace(trace_).calls_of("cuStreamSynchronize").empty()) << scenario;
    std::filesystem::remove(trace_);
  }
}

TEST_F(LimitsTest, NoDescriptorIsTakenFromAProgramThatHasNone) {
  EXPECT_EQ(record("proc", "few_descriptors").calls_of("cuStreamSynchronize").size(), 10u);
}

TEST_F(LimitsTest, NothingIsLockedForAProgramThatLocksItsMemory) {
  const ScannedTrace trace = record("proc", "locks_its_memory");
  EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), 1000u);
  EXPECT_LT(finished_.numbers("resident_mb").at(0), 200) << "the trace may take 1024";
}

TEST_F(LimitsTest, AProgramsResidentMemoryDoesNotGrowWithTheTrace) {
  EXPECT_EQ(record("proc", "many_waits").calls_of("cuStreamSynchronize").size(), 150000u);
  EXPECT_GT(std::filesystem::file_size(trace_), 8u << 20);
  EXPECT_LT(finished_.numbers("grown_kb").at(0), 1024);
}

TEST_F(LimitsTest, TooLowAFileLimitIsTold) {
  environment_["SYNCSNIFF_TRACE_FOLDER"] = private_;
  const Finished finished = run({client("syncsniff_driver_client"), "proc", "wait_for_stream"}, environment_, 500000);
  EXPECT_EQ(finished.exit_status, 7) << finished.signal;
  EXPECT_NE(told().find("ulimit -f"), std::string::npos) << told();
  EXPECT_TRUE(traces_at(trace_).empty());
}

// A real full disk, as a new kernel tells of it and as an old one does.
TEST_F(LimitsTest, ARealFullDiskStopsRecordingOnly) {
  if (std::system("unshare -rm true 2>/dev/null") != 0) GTEST_SKIP() << "no user namespaces here";
  for (const char* old_kernel : {"", "export SYNCSNIFF_TEST_NO_POPULATE=1;"}) {
    const std::string disk = folder_ + "/disk", kept = folder_ + "/kept";
    std::filesystem::create_directory(disk);
    const std::string inside = "mount -t tmpfs -o size=1500k none " + disk + " && " + old_kernel +
                               " SYNCSNIFF_TRACE=" + disk + "/t LD_PRELOAD=" + shim() + " " +
                               client("syncsniff_driver_client") + " proc fill_trace; status=$?; cp " + disk + "/t " +
                               kept + "; exit $status";
    auto environment = environment_;
    environment.erase("LD_PRELOAD");
    const Finished finished = run({"/usr/bin/unshare", "-rm", "/bin/sh", "-c", inside}, environment);
    EXPECT_EQ(finished.exit_status, 7) << finished.errors;
    const ScannedTrace trace = scan_trace(kept);
    EXPECT_EQ(trace.header.stop_reason, static_cast<uint32_t>(trace::StopReason::kDiskFull)) << old_kernel;
    EXPECT_GT(trace.calls.size(), 15000u) << old_kernel;
  }
}

}  // namespace
}  // namespace syncsniff::tests
