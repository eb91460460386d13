#include "instrument/report/spelling.h"

#include <gtest/gtest.h>

namespace syncsniff::report {
namespace {

TEST(Spelling, DriverNamesBecomeRuntimeNames) {
  EXPECT_EQ(user_spelling("cuMemcpyHtoDAsync_v2"), "cudaMemcpyAsync");
  EXPECT_EQ(user_spelling("cuMemcpyDtoH_v2_ptds"), "cudaMemcpy");
  EXPECT_EQ(user_spelling("cuCtxSynchronize_v2"), "cudaDeviceSynchronize");
  EXPECT_EQ(user_spelling("cuMemAllocAsync_ptsz"), "cudaMallocAsync");
  EXPECT_EQ(user_spelling("cuMemFree_v2"), "cudaFree");
  EXPECT_EQ(user_spelling("cuLaunchKernelEx"), "kernel launch");
  EXPECT_EQ(user_spelling("cuSomethingNew_v2"), "cuSomethingNew");
}

TEST(Spelling, AFindingNamesItsCall) {
  EXPECT_EQ(named_call("the host waits for the device (cudaDeviceSynchronize) in every iteration"),
            "cudaDeviceSynchronize");
  EXPECT_EQ(named_call("cudaMemcpyAsync copies from pageable memory"), "cudaMemcpyAsync");
  EXPECT_EQ(named_call("loss.item() fetches one number"), ".item()");
  EXPECT_EQ(named_call("this loop launches a kernel for each cuda element. It is slow"), "");
  EXPECT_EQ(named_call(""), "");
}

}  // namespace
}  // namespace syncsniff::report
