// Whoever asks for the driver, however, gets wrappers that call exactly the function this caller would have got.
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

using InterposeTest = ShimTest;

TEST_F(InterposeTest, EveryWayOfResolvingIsSeen) {
  for (const char* way : {"dlsym", "proc", "proc_per_thread"}) {
    std::filesystem::remove(trace_);
    const ScannedTrace trace = record(way, "wait_for_stream");
    EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), 5u) << way;
    EXPECT_EQ(trace.count_of("cuLaunchKernel"), 15u) << way;
  }
}

TEST_F(InterposeTest, DirectlyLinkedProgramsAreSeen) {
  const Finished finished = run({client("syncsniff_linked_client"), "wait_for_stream"}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  const ScannedTrace trace = scan_trace(trace_);
  EXPECT_EQ(trace.calls_of("cuStreamSynchronize").size(), 5u);
  EXPECT_EQ(trace.count_of("cuLaunchKernel"), 15u);
}

TEST_F(InterposeTest, DirectlyLinkedPerThreadSymbolsStayApart) {
  const Finished finished = run({client("syncsniff_linked_client"), "init_only"}, environment_);
  EXPECT_EQ(finished.numbers("cuLaunchKernel"), std::vector<double>{1});
  EXPECT_EQ(finished.numbers("cuLaunchKernel_ptsz"), std::vector<double>{2});
}

TEST_F(InterposeTest, LegacyAndPerThreadPointersStayApart) {
  const ScannedTrace trace = record("proc", "both_streams");
  EXPECT_EQ(finished_.numbers("cuLaunchKernel"), std::vector<double>{3});
  EXPECT_EQ(finished_.numbers("cuLaunchKernel_ptsz"), std::vector<double>{5});
  EXPECT_EQ(finished_.numbers("cuStreamSynchronize"), std::vector<double>{1});
  EXPECT_EQ(finished_.numbers("cuStreamSynchronize_ptsz"), std::vector<double>{1});
  const auto waits = trace.calls_of("cuStreamSynchronize");
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_TRUE(waits[0].flags & trace::kPerThreadStream);
  EXPECT_TRUE(waits[1].flags & trace::kLegacyStream);
}

TEST_F(InterposeTest, VersionsOfOneNameStayApart) {
  const ScannedTrace trace = record("proc", "versions");
  EXPECT_EQ(finished_.numbers("cuCtxSynchronize"), std::vector<double>{1});
  EXPECT_EQ(finished_.numbers("cuCtxSynchronize_v2"), std::vector<double>{1});
  EXPECT_EQ(trace.calls_of("cuCtxSynchronize").size(), 1u);
  EXPECT_EQ(trace.calls_of("cuCtxSynchronize_v2").size(), 1u);
}

TEST_F(InterposeTest, DeepBoundLibrariesAreSeen) {
  const Finished finished =
      run({client("syncsniff_loader_client"), "deep", client("libsyncsniff_deep.so"), "wait_for_stream"}, environment_);
  EXPECT_EQ(finished.exit_status, 7) << finished.errors;
  EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 5u);
}

TEST_F(InterposeTest, RtldNextKeepsItsMeaning) {
  for (const bool first : {true, false}) {
    auto environment = environment_;
    const std::string other = client("libsyncsniff_next.so");
    environment["LD_PRELOAD"] = first ? other + ":" + shim() : shim() + ":" + other;
    std::filesystem::remove(trace_);
    const Finished finished = run({client("syncsniff_driver_client"), "proc", "wait_for_stream"}, environment);
    EXPECT_EQ(finished.exit_status, 7) << finished.errors;
    EXPECT_NE(finished.output.find("next:done"), std::string::npos) << finished.output;
    EXPECT_EQ(scan_trace(trace_).calls_of("cuStreamSynchronize").size(), 5u);
  }
}

TEST_F(InterposeTest, NoDriverAppearsWhereThereIsNone) {
  auto without = environment_;
  without["LD_PRELOAD"] = "";
  const Finished bare = run({client("syncsniff_loader_client"), "default"}, without);
  const Finished shimmed = run({client("syncsniff_loader_client"), "default"}, environment_);
  EXPECT_EQ(shimmed.output, bare.output);
  EXPECT_NE(bare.output.find("cuInit null, error set"), std::string::npos) << bare.output;
  EXPECT_EQ(shimmed.exit_status, 0);
}

TEST_F(InterposeTest, ErrnoIsLeftAlone) {
  record("proc", "capture");
  EXPECT_EQ(finished_.numbers("errno"), std::vector<double>{42});
}

}  // namespace
}  // namespace syncsniff::tests
