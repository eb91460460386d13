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

TEST(Spelling, TheCallOfAFindingIsShort) {
  EXPECT_EQ(callee_spelling("cudaMemcpyAsync"), "cudaMemcpyAsync");
  EXPECT_EQ(callee_spelling("cublasSnrm2_v2"), "cublasSnrm2");
  EXPECT_EQ(callee_spelling("at::Tensor::item"), ".item()");
  EXPECT_EQ(callee_spelling("c10::cuda::CUDAStream::synchronize"), ".synchronize()");
  EXPECT_EQ(callee_spelling("thrust::reduce"), "thrust::reduce");
  EXPECT_EQ(callee_spelling("at::operator<<"), "operator<<");
  EXPECT_EQ(callee_spelling("Tensor::item"), ".item()");
  EXPECT_EQ(callee_spelling("::"), "::");
  EXPECT_EQ(callee_spelling(""), "");
}

}  // namespace
}  // namespace syncsniff::report
