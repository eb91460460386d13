// The shapes of matrix products, as cuBLAS is shape for them.
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

using trace::GemmMath;

class GemmTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["SYNCSNIFF_TIMELINE"] = "full";
    environment_["FAKE_CUDA_KERNEL_US"] = "20";
  }
  ScannedTrace record(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), client("syncsniff_gemm_client"));
    finished_ = run(arguments, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    return scan_trace(trace_);
  }
  ScannedTrace record_library(const char* mode = "0") {
    return record({"library", client("libsyncsniff_gemm.so"), mode});
  }
};

size_t launches_within(const ScannedTrace& trace, const trace::GemmRecord& gemm) {
  size_t count = 0;
  for (const auto& call : trace.calls_of("cuLaunchKernel"))
    count += call.begin_ns >= gemm.begin_ns && call.begin_ns <= gemm.begin_ns + gemm.duration_ns;
  return count;
}

void expect_shape(const trace::GemmRecord& gemm, GemmMath math, uint64_t m, uint64_t n, uint64_t k, uint64_t batch) {
  EXPECT_EQ(gemm.math, static_cast<uint8_t>(math));
  EXPECT_EQ(gemm.m, m);
  EXPECT_EQ(gemm.n, n);
  EXPECT_EQ(gemm.k, k);
  EXPECT_EQ(gemm.batch, batch);
}

TEST_F(GemmTest, EachProductHasItsShapeAndItsLaunches) {
  const ScannedTrace trace = record_library();
  ASSERT_EQ(trace.gemms.size(), 5u) << "one that calls another is one product";
  expect_shape(trace.gemms[0], GemmMath::kF32, 64, 32, 16, 1);
  expect_shape(trace.gemms[1], GemmMath::kF64, 1ull << 33, 2, 3, 12);
  expect_shape(trace.gemms[2], GemmMath::kBf16, 128, 256, 512, 1);
  expect_shape(trace.gemms[3], GemmMath::kF16, 10, 20, 30, 11);
  expect_shape(trace.gemms[4], GemmMath::kTf32, 300, 500, 700, 4);
  EXPECT_EQ(trace.gemms[2].in_bits, 16);
  EXPECT_EQ(trace.gemms[2].out_bits, 32);
  for (const auto& gemm : trace.gemms) EXPECT_EQ(launches_within(trace, gemm), 2u);
  EXPECT_EQ(trace.calls_of("cuLaunchKernel").size(), 11u) << "one launch is no product's";
}

TEST_F(GemmTest, TheHandlesModeAllowsTf32) {
  const ScannedTrace trace = record_library("3");
  ASSERT_EQ(trace.gemms.size(), 5u);
  EXPECT_EQ(trace.gemms[0].math, static_cast<uint8_t>(GemmMath::kTf32));
  EXPECT_EQ(trace.gemms[1].math, static_cast<uint8_t>(GemmMath::kF64)) << "which says nothing of doubles";
}

TEST_F(GemmTest, EachArgumentArrivesAsItWas) {
  record_library();
  const Finished watched = finished_;
  auto without = environment_;
  without.erase("LD_PRELOAD");
  const Finished bare = run({client("syncsniff_gemm_client"), "library", client("libsyncsniff_gemm.so")}, without);
  EXPECT_EQ(bare.numbers("arguments").size(), 4u);
  EXPECT_EQ(watched.output, bare.output);
  environment_.erase("SYNCSNIFF_TIMELINE");  // the way that is taken outside windows
  std::filesystem::remove(trace_);
  EXPECT_TRUE(record_library().gemms.empty());
  EXPECT_EQ(finished_.output, bare.output);
}

// A handle of one copy is none of another's.
TEST_F(GemmTest, EachCopyOfTheLibraryGetsItsOwnCalls) {
  const ScannedTrace trace = record({"lookup"});
  EXPECT_EQ(finished_.numbers("status"), (std::vector<double>{0, 0}));
  ASSERT_EQ(trace.gemms.size(), 2u);
  EXPECT_EQ(trace.gemms[0].m, 40u);
  EXPECT_EQ(trace.gemms[1].m, 41u);
}

TEST_F(GemmTest, WhatIsNotThereIsNotFound) {
  record({"absent"});
  EXPECT_EQ(finished_.numbers("default"), std::vector<double>{0});
  EXPECT_EQ(finished_.numbers("global"), std::vector<double>{0});
}

TEST_F(GemmTest, DevicesAreDescribed) {
  environment_["FAKE_CUDA_DEVICES"] = "2";
  const ScannedTrace trace = record({"absent"});
  ASSERT_EQ(trace.devices.size(), 2u);
  EXPECT_EQ(trace.strings.at(trace.devices[1].name), "Fake H200");
  EXPECT_EQ(trace.devices[1].device, 1u);
  EXPECT_EQ(trace.devices[1].major, 9);
  EXPECT_EQ(trace.devices[1].multiprocessors, 132u);
  EXPECT_EQ(trace.devices[1].clock_khz, 1980000u);
  EXPECT_EQ(trace.devices[1].memory_bus_bits, 6144u);
  EXPECT_EQ(trace.devices[1].pci_bus, 0x11u);
}

}  // namespace
}  // namespace syncsniff::tests
