// Hooks that are left without returning, and calls within calls: what comes after is recorded, and nothing twice.
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

class LeftHookTest : public ShimTest, public ::testing::WithParamInterface<const char*> {};

bool says_so(const ScannedTrace& trace) {
  size_t said = 0;
  for (const std::string& note : trace.notes) said += note.rfind("CUDA calls were left before they returned", 0) == 0;
  return said == 1;
}

INSTANTIATE_TEST_SUITE_P(Handlers, LeftHookTest, ::testing::Values("", "_on_signal_stack"));

TEST_P(LeftHookTest, WhatComesAfterALeftWaitIsRecorded) {
  environment_["FAKE_CUDA_KERNEL_US"] = "8000";
  const ScannedTrace trace = record("proc", std::string("left_waits") + GetParam());
  EXPECT_GT(finished_.numbers("left").at(0), 12) << "of 24, on a busy machine";
  EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), finished_.numbers("waits").at(0));
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), finished_.numbers("launches").at(0));
  EXPECT_EQ(finished_.numbers("errno_changed").at(0), 0);
  unsigned drained = 0;
  for (const auto& wait : trace.calls_of("cuStreamSynchronize")) drained += (wait.flags & trace::kDrained) != 0;
  EXPECT_EQ(drained, finished_.numbers("waits").at(0)) << "no enqueue counts as in flight for ever";
  uint64_t launches = 0;
  for (const auto& burst : trace.bursts) launches += burst.launches;
  EXPECT_EQ(launches, finished_.numbers("launches").at(0));
  EXPECT_TRUE(says_so(trace));
}

// A handler that makes a call and returns: the outer call goes on, and the inner one is not recorded. Nobody knows when
// its work ends, so nothing is called idle until its stream has been waited for.
TEST_P(LeftHookTest, ACallWithinAWaitIsNotRecorded) {
  environment_["FAKE_CUDA_KERNEL_US"] = "8000";
  const ScannedTrace trace = record("proc", std::string("calls_within_waits") + GetParam());
  EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), finished_.numbers("waits").at(0));
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), finished_.numbers("launches").at(0));
  EXPECT_EQ(trace.idles.size(), 2u);
  for (const auto& idle : trace.idles) EXPECT_GE(idle.begin_ns, trace.calls_of("cuStreamSynchronize").at(5).begin_ns);
  EXPECT_TRUE(trace.notes.empty());
}

using LeftCallTest = ShimTest;

// It is in flight for all that the other thread knows.
TEST_F(LeftCallTest, IdleTimeEndsWhereALeftCopyBegan) {
  environment_["FAKE_CUDA_COPY_US"] = "20000";
  const ScannedTrace trace = record("proc", "left_copy");
  ASSERT_EQ(finished_.numbers("left").at(0), 1);
  ASSERT_EQ(trace.idles.size(), 2u);
  for (const auto& idle : trace.idles) {
    if (trace.apis.at(idle.wait_api) == "cuCtxSynchronize") continue;
    EXPECT_GE(ms(idle.end_ns - idle.begin_ns), 1);
    EXPECT_LE(ms(idle.end_ns - idle.begin_ns), finished_.numbers("idle_below_ms").at(0) + 0.1);
  }
  EXPECT_TRUE(says_so(trace));
}

TEST_F(LeftCallTest, ACancelledThreadLeavesNothingInFlight) {
  environment_["FAKE_CUDA_KERNEL_US"] = "20000";
  const ScannedTrace trace = record("proc", "cancelled_wait");
  const auto waits = trace.calls_of("cuStreamSynchronize");
  const size_t cancelled = finished_.numbers("cancelled").at(0);
  EXPECT_GE(cancelled, 1u) << "of 3, on a busy machine";
  ASSERT_EQ(waits.size(), 4 - cancelled);
  for (const auto& wait : waits) EXPECT_TRUE(wait.flags & trace::kDrained);
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 5u);
  EXPECT_EQ(trace.idles.size(), waits.size());
  EXPECT_TRUE(says_so(trace));
}

}  // namespace
}  // namespace syncsniff::tests
