// NanGuard on a real GPU: every kind of value at every place of a tensor, and a NaN planted at step 137 told in time.
#include <cmath>
#include <limits>
#include <syncsniff/nan_guard.cuh>
#include <thread>
#include <vector>

#include "kernel_test.cuh"

namespace {

using gpu_test::Clock;
using gpu_test::Device;
using gpu_test::spin;
using gpu_test::Stream;
using syncsniff::NanGuard;
using syncsniff::NonFiniteError;
using syncsniff::WhenLate;

constexpr std::uint64_t kPlanted = 137;
constexpr std::uint32_t kLag = 8;

template <typename T>
T make(double value) {
  return static_cast<T>(value);
}
template <>
__half make<__half>(double value) {
  return __float2half(static_cast<float>(value));
}
template <>
__nv_bfloat16 make<__nv_bfloat16>(double value) {
  return __float2bfloat16(static_cast<float>(value));
}
template <typename T>
double largest() {
  return std::numeric_limits<T>::max();
}
template <>
double largest<__half>() {
  return 65504.0;
}
template <>
double largest<__nv_bfloat16>() {
  return 3.3895314e38;
}

template <typename T>
class TestFiniteGpu : public testing::Test {
 protected:
  // The guard's answer for data[from, from + count) of the device block.
  bool clean(std::uint64_t from, std::uint64_t count) {
    NanGuard guard(kLag);
    EXPECT_CUDA(syncsniff::test_finite(guard, block_.get() + from, count, 5, stream_));
    EXPECT_CUDA(guard.read_flag(5, stream_));
    try {
      return guard.finish(6);
    } catch (const NonFiniteError& error) {
      EXPECT_EQ(error.step(), 5u);
      return false;
    }
  }
  void set(std::uint64_t at, double value) {
    const T element = make<T>(value);
    ASSERT_CUDA(cudaMemcpy(block_.get() + at, &element, sizeof(T), cudaMemcpyHostToDevice));
  }

  static constexpr std::size_t kElements = 3 << 20;  // over a grid's worth: the loops run more than once
  Stream stream_;
  Device<T> block_{kElements};
};
using Types = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(TestFiniteGpu, Types);

TYPED_TEST(TestFiniteGpu, FiniteExtremesAreClean) {
  const double values[] = {largest<TypeParam>(), -largest<TypeParam>(), 0.0, -0.0, 1e-40, 6e-8};
  for (std::uint64_t i = 0; i < 6; ++i) this->set(i, values[i]);
  EXPECT_TRUE(this->clean(0, this->kElements));
  EXPECT_TRUE(this->clean(0, 0));
}

TYPED_TEST(TestFiniteGpu, OneBadElementAnywhereIsFoundAndItsNeighboursAreNot) {
  const std::uint64_t places[] = {16, 17, 31, 1000, 4095, 4096, (1 << 20) + 3, this->kElements - 17};
  const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
  int kind = 0;
  for (const std::uint64_t at : places) {
    this->set(at, bad[kind++ % 4]);
    for (std::uint64_t count : {1, 2, 5, 16}) {
      EXPECT_FALSE(this->clean(at, count)) << at << " first of " << count;
      EXPECT_FALSE(this->clean(at - count + 1, count)) << at << " last of " << count;
      EXPECT_TRUE(this->clean(at + 1, count)) << at << " before " << count;
      EXPECT_TRUE(this->clean(at - count, count)) << at << " after " << count;
    }
    EXPECT_FALSE(this->clean(0, this->kElements)) << at;
    EXPECT_FALSE(this->clean(1, this->kElements - 1)) << at;
    this->set(at, 1.0);
  }
  EXPECT_TRUE(this->clean(3, this->kElements - 3));
}

__global__ void step_kernel(float* gradients, std::uint64_t count, std::uint64_t step, std::uint64_t planted) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) gradients[i] = step >= planted && i == count / 2 ? NAN : 1.0f;
}

// A training loop with a step of `device_us` on the device and `host_us` on the host. Returns when the NaN was told.
std::uint64_t told_at(NanGuard& guard, std::uint64_t device_us, std::uint64_t host_us) {
  constexpr std::uint64_t kCount = 100000;
  const Stream stream;
  const Device<float> gradients(kCount);
  for (std::uint64_t step = 0; step < 400; ++step) {
    if (device_us != 0) spin(stream, device_us);
    step_kernel<<<(kCount + 255) / 256, 256, 0, stream>>>(gradients.get(), kCount, step, kPlanted);
    EXPECT_CUDA(syncsniff::test_finite(guard, gradients.get(), kCount, step, stream));
    EXPECT_CUDA(guard.read_flag(step, stream));
    if (host_us != 0) std::this_thread::sleep_for(std::chrono::microseconds(host_us));
    try {
      EXPECT_TRUE(guard.check(step));
    } catch (const NonFiniteError& error) {
      EXPECT_EQ(error.step(), kPlanted);
      EXPECT_EQ(error.noticed_at(), step);
      EXPECT_CUDA(cudaStreamSynchronize(stream));
      return step;
    }
  }
  return 400;
}

TEST(NanGuardGpu, ToldWithinTheLagWhenTheDeviceKeepsUp) {
  NanGuard guard(kLag);
  const std::uint64_t told = told_at(guard, 0, 300);
  EXPECT_GE(told, kPlanted);
  EXPECT_LE(told, kPlanted + kLag);
}

TEST(NanGuardGpu, ToldWithinTheLagByAWaitWhenItDoesNot) {
  NanGuard guard(kLag, WhenLate::kWait);
  const std::uint64_t told = told_at(guard, 1000, 0);
  EXPECT_GE(told, kPlanted);
  EXPECT_LE(told, kPlanted + kLag);
}

TEST(NanGuardGpu, TheBoundHoldsAtALagOfOne) {
  NanGuard guard(1, WhenLate::kWait);
  EXPECT_LE(told_at(guard, 100, 0), kPlanted + 1);
}

TEST(NanGuardGpu, ByDefaultNothingInTheLoopWaits) {
  constexpr std::uint64_t kCount = 100000;
  const Stream stream;
  const Device<float> gradients(kCount);
  NanGuard guard(kLag);
  EXPECT_CUDA(syncsniff::test_finite(guard, gradients.get(), kCount, 0, stream));  // loads the module
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  const Clock clock;
  for (std::uint64_t step = 0; step < 100; ++step) {
    spin(stream, 2000);
    ASSERT_CUDA(syncsniff::test_finite(guard, gradients.get(), kCount, step, stream));
    ASSERT_CUDA(guard.read_flag(step, stream));
    ASSERT_TRUE(guard.check(step));
  }
  EXPECT_LT(clock.ms(), 60.0);
  EXPECT_TRUE(guard.finish(100));
}

TEST(NanGuardGpu, ALossIsWatchedWithoutAKernel) {
  const Stream stream;
  const Device<float> loss;
  NanGuard guard(kLag, WhenLate::kWait);
  std::uint64_t told = 400;
  for (std::uint64_t step = 0; step < 400 && told == 400; ++step) {
    step_kernel<<<1, 1, 0, stream>>>(loss.get(), 1, step, kPlanted);
    ASSERT_CUDA(guard.read_value(loss.get(), step, stream));
    try {
      guard.check(step);
    } catch (const NonFiniteError& error) {
      EXPECT_EQ(error.step(), kPlanted);
      told = step;
    }
  }
  EXPECT_LE(told, kPlanted + kLag);
}

__global__ void counted_step_kernel(float* gradients, std::uint64_t* steps) {
  gradients[7] = *steps >= kPlanted ? INFINITY : 1.0f;
  ++*steps;
}

// Captured once, without a step; the step is that of the read_flag() after the replay.
TEST(NanGuardGpu, TheTestIsCapturedAndTheFlagReadAfterEachReplay) {
  constexpr std::uint64_t kCount = 1000;
  const Stream stream;
  const Device<float> gradients(kCount);
  const Device<std::uint64_t> steps;
  NanGuard guard(kLag, WhenLate::kWait);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  counted_step_kernel<<<1, 1, 0, stream>>>(gradients.get(), steps.get());
  ASSERT_CUDA(syncsniff::test_finite(guard, gradients.get(), kCount, stream));
  EXPECT_EQ(guard.read_flag(0, stream), cudaErrorStreamCaptureUnsupported);
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  std::uint64_t told = 400;
  for (std::uint64_t step = 0; step < 400 && told == 400; ++step) {
    ASSERT_CUDA(cudaGraphLaunch(executable, stream));
    ASSERT_CUDA(guard.read_flag(step, stream));
    try {
      guard.check(step);
    } catch (const NonFiniteError& error) {
      EXPECT_EQ(error.step(), kPlanted);
      told = step;
    }
  }
  EXPECT_LE(told, kPlanted + kLag);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST(NanGuardGpu, AfterResetACleanRunIsClean) {
  const Stream stream;
  const Device<float> gradients(100);
  NanGuard guard(kLag);
  step_kernel<<<1, 128, 0, stream>>>(gradients.get(), 100, 0, 0);
  ASSERT_CUDA(syncsniff::test_finite(guard, gradients.get(), 100, 0, stream));
  ASSERT_CUDA(guard.read_flag(0, stream));
  EXPECT_THROW(guard.finish(0), NonFiniteError);
  ASSERT_CUDA(guard.reset(stream));
  for (std::uint64_t step = 1; step < 20; ++step) {
    step_kernel<<<1, 128, 0, stream>>>(gradients.get(), 100, step, kPlanted);
    ASSERT_CUDA(syncsniff::test_finite(guard, gradients.get(), 100, step, stream));
    ASSERT_CUDA(guard.read_flag(step, stream));
    EXPECT_TRUE(guard.check(step));
  }
  EXPECT_TRUE(guard.finish(20));
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
