// Threads that come and go: whose records are whose, and how much room they take.
#include <signal.h>

#include <set>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

class ShortThreadsTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["FAKE_CUDA_KERNEL_US"] = "1";
  }

  // Three waits of each thread that the client named, of odd threads from one line and of the others from another.
  void expect_three_waits_each(const ScannedTrace& trace) const {
    const auto tids = finished_.numbers("tid");
    ASSERT_EQ(tids.size(), 2000u);
    std::map<uint32_t, size_t> waits;  // a tid may come again
    for (const double tid : tids) waits[static_cast<uint32_t>(tid)] += 3;
    std::set<uint32_t> stacks[2];
    for (size_t i = 0; i < tids.size(); ++i) {
      const auto tid = static_cast<uint32_t>(tids[i]);
      ASSERT_TRUE(trace.calls_by_thread.count(tid)) << tid;
      size_t found = 0;
      for (const auto& call : trace.calls_by_thread.at(tid)) {
        if (trace.apis.at(call.api) != "cuStreamSynchronize") continue;
        ++found;
        if (waits[tid] == 3) stacks[i % 2].insert(call.stack);
      }
      EXPECT_EQ(found, waits[tid]) << tid;
    }
    EXPECT_EQ(stacks[0].size(), 1u);
    EXPECT_EQ(stacks[1].size(), 1u);
    EXPECT_NE(stacks[0], stacks[1]);
    EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), 6000u);
    EXPECT_EQ(trace.count_of("cuLaunchKernel"), 6000u);
  }
};

TEST_F(ShortThreadsTest, GoOnInTheChunkOfTheOneBefore) {
  expect_three_waits_each(record("proc", "short_threads"));
  EXPECT_LE(std::filesystem::file_size(trace_), 4u << 20) << "131 MB, when each began a chunk";
}

TEST_F(ShortThreadsTest, AreToldApartInAKilledProcess) {
  finished_ = run({client("syncsniff_driver_client"), "proc", "killed_among_threads"}, environment_);
  ASSERT_EQ(finished_.signal, SIGKILL);
  expect_three_waits_each(scan_trace(trace_));
}

}  // namespace
}  // namespace syncsniff::tests
