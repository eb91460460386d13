// What is the program's own stays as it would be without us: its files and descriptors, its signals, limits and memory.
#include <sys/stat.h>

#include <fstream>

#include "tests/runtime/clients/descriptors.h"
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class HarmlessTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["FAKE_CUDA_KERNEL_US"] = "1";
  }
  // In the test's folder.
  Finished run_here(const std::string& command, const std::string& before = "") {
    return run({"/bin/sh", "-c", "cd '" + folder_ + "' && " + before + " exec " + command}, environment_);
  }
  Finished scenario(const std::string& name, const std::string& before = "") {
    return run_here(client("syncsniff_driver_client") + " proc " + name, before);
  }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
};

TEST_F(HarmlessTest, ACheckpointUnderANumberThatWasClosedIsWhole) {
  const Finished finished = scenario("closed_and_written");
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  EXPECT_EQ(content(file("checkpoint.bin")), std::string(3000000, 'c'));
  EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 40010u);
}

TEST_F(HarmlessTest, AForkedChildKeepsItsPipes) {
  const Finished finished = scenario("pipe_after_closing");
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  EXPECT_EQ(finished.numbers("child_read"), std::vector<double>{8});
}

// Two seconds here; SYNCSNIFF_STORM_S says how long elsewhere.
TEST_F(HarmlessTest, NoByteChangesInAStormOfDescriptors) {
  const char* wanted = std::getenv("SYNCSNIFF_STORM_S");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted != nullptr ? std::atoi(wanted) : 2);
  int rounds = 0, files = 0;
  for (; std::chrono::steady_clock::now() < end || rounds < 3; ++rounds) {
    environment_["CLIENT_SEED"] = std::to_string(rounds + 1);
    const Finished finished = scenario("descriptor_storm");
    ASSERT_EQ(finished.exit_status, 7) << finished.errors << " seed " << rounds + 1;
    for (int number = 0; number < 40; ++number) {
      const auto bytes = finished.numbers("file" + std::to_string(number));
      if (bytes.empty()) continue;
      ++files;
      std::string expected;
      for (long at = 0; at < static_cast<long>(bytes[0]); ++at) expected += ::client::storm_byte(number, at);
      ASSERT_TRUE(content(file("file" + std::to_string(number))) == expected) << number << " seed " << rounds + 1;
      std::filesystem::remove(file("file" + std::to_string(number)));
    }
    EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 40000u);
    std::filesystem::remove(trace_);
  }
  EXPECT_GT(files, rounds);
  std::printf("%d files in %d rounds\n", files, rounds);
}

// Every file that Python's own ways of closing and passing on descriptors leave, byte by byte as without us.
TEST_F(HarmlessTest, PythonsFilesAreAsWithoutUs) {
  const std::string script = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/runtime/clients/descriptors.py";
  if (std::system("python3 -c 'import multiprocessing' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  auto bare = environment_;
  bare.erase("LD_PRELOAD");
  std::filesystem::create_directory(file("bare"));
  std::filesystem::create_directory(file("watched"));
  const Finished without = run({"/bin/sh", "-c", "exec python3 " + script + " " + file("bare")}, bare);
  const Finished with = run({"/bin/sh", "-c", "exec python3 " + script + " " + file("watched")}, environment_);
  EXPECT_EQ(without.exit_status, 0) << without.errors;
  EXPECT_EQ(with.exit_status, 0) << with.errors;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(file("bare"))) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(content(file("watched/" + name)) == content(file("bare/" + name))) << name;
    ++files;
  }
  EXPECT_EQ(files, 5);
  EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 35010u);
}

TEST_F(HarmlessTest, DescriptorsSignalsLimitsAndTheRestAreAsTheyWere) {
  const Finished finished = scenario("process_state");
  EXPECT_EQ(finished.exit_status, 7);
  EXPECT_EQ(finished.numbers("changed"), std::vector<double>{0}) << finished.errors;
  EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 20000u);
}

TEST_F(HarmlessTest, ATraceIsForItsOwnerAloneWhateverTheUmask) {
  for (const char* mask : {"0", "077", "0777"}) {
    std::filesystem::remove(trace_);
    EXPECT_EQ(scenario("wait_for_device", std::string("umask ") + mask + " &&").exit_status, 7);
    struct stat info{};
    ASSERT_EQ(stat(trace_.c_str(), &info), 0) << mask;
    EXPECT_EQ(info.st_mode & 07777, 0600u) << mask;
  }
}

// The child of a clone() that is no fork() has its parent's memory, and would count in its parent's records.
TEST_F(HarmlessTest, ARawCloneChangesNothingInItsParentsTrace) {
  const ScannedTrace trace = record("proc", "raw_clone");
  EXPECT_EQ(finished_.numbers("child"), std::vector<double>{0});
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 200u);
  EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), 20u);
}

TEST_F(HarmlessTest, EachImageOfAProcessThatExecutesItselfHasItsTrace) {
  record("proc", "executes_itself");
  size_t waits = 0;
  const auto files = traces_at(trace_);
  ASSERT_EQ(files.size(), 3u);
  for (const auto& path : files) waits += scan_trace(path).calls_of("cuStreamSynchronize").size();
  EXPECT_EQ(waits, 10u + 11u + 12u);
}

TEST_F(HarmlessTest, WaitsOfAHandlerWithinAnotherCallAreCounted) {
  environment_["FAKE_CUDA_KERNEL_US"] = "300";
  environment_["FAKE_CUDA_COUNT"] = "0";  // its lock is none for handlers; a wait takes no other
  const ScannedTrace trace = record("proc", "handler_waits");
  const double made = finished_.numbers("waits").at(0) + finished_.numbers("handled").at(0);
  EXPECT_GT(finished_.numbers("handled").at(0), 20);
  EXPECT_GT(trace.header.nested_waits, 10u);
  EXPECT_EQ(static_cast<double>(trace.calls_of("cuStreamSynchronize").size() + trace.header.nested_waits), made);
}

TEST_F(HarmlessTest, ATraceThatIsCutFromOutsideStopsRecordingOnly) {
  for (const char* old_kernel : {"", "SYNCSNIFF_TEST_NO_POPULATE=1"}) {
    const Finished finished = scenario("cuts_the_trace", std::string("export X=1 ") + old_kernel + ";");
    EXPECT_EQ(finished.exit_status, 7) << finished.signal;
    EXPECT_EQ(scan_trace(trace_).header.stop_reason, static_cast<uint32_t>(trace::StopReason::kDiskFull));
    std::filesystem::remove(trace_);
  }
}

}  // namespace
}  // namespace syncsniff::tests
