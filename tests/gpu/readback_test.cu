// DeferredScalar and GraphScalar on a real GPU: values right and in order, the host never held up, graphs included.
#include <syncsniff/readback.cuh>

#include "kernel_test.cuh"

namespace {

using gpu_test::Clock;
using gpu_test::Device;
using gpu_test::spin;
using gpu_test::Stream;
using syncsniff::DeferredScalar;
using syncsniff::GraphScalar;

struct Result {
  std::uint32_t words[16];
};

__global__ void set_kernel(float* value, float to) { *value = to; }
__global__ void set_result_kernel(Result* result, std::uint32_t to) {
  for (std::uint32_t& word : result->words) word = to;
}
// Counts its own runs, so that replays of a graph differ.
__global__ void next_result_kernel(Result* result, std::uint32_t* runs) {
  for (std::uint32_t& word : result->words) word = *runs;
  ++*runs;
}

// 100 steps of 2 ms: the host must be through long before the device.
TEST(DeferredScalarGpu, NeverWaitsAndBringsEveryValue) {
  const Stream stream;
  const Device<float> loss;
  DeferredScalar<float> scalar(128);
  set_kernel<<<1, 1, 0, stream>>>(loss.get(), 0.0f);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  const Clock clock;
  for (int i = 0; i < 100; ++i) {
    spin(stream, 2000);
    set_kernel<<<1, 1, 0, stream>>>(loss.get(), 0.5f * static_cast<float>(i));
    ASSERT_CUDA(scalar.enqueue(loss.get(), stream));
    static_cast<void>(scalar.latest());
  }
  EXPECT_LT(clock.ms(), 60.0) << "the host was held up";
  EXPECT_GT(scalar.lag(), 50u);
  ASSERT_CUDA(scalar.drain());
  EXPECT_GE(clock.ms(), 195.0);
  for (int i = 0; i < 100; ++i) {
    const auto value = scalar.pop();
    ASSERT_TRUE(value);
    EXPECT_EQ(value->step, static_cast<std::uint64_t>(i));
    EXPECT_EQ(value->value, 0.5f * static_cast<float>(i));
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a query left its cudaErrorNotReady behind";
}

TEST(DeferredScalarGpu, AFullRingDoesNotWaitEither) {
  const Stream stream;
  const Device<float> loss;
  DeferredScalar<float> scalar(4);
  const Clock clock;
  for (int i = 0; i < 50; ++i) {
    spin(stream, 2000);
    ASSERT_CUDA(scalar.enqueue(loss.get(), stream));
  }
  EXPECT_LT(clock.ms(), 40.0);
  EXPECT_GT(scalar.skipped(), 30u);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(scalar.latest_step().has_value(), false);
  EXPECT_TRUE(scalar.latest().has_value());
}

TEST(DeferredScalarGpu, TwentyThousandStepsOfAStructOnTwoStreams) {
  const Stream streams[2];
  const Device<Result> results(2);
  DeferredScalar<Result> scalar(32);
  std::uint64_t popped = 0, after = 0;
  const auto pop_all = [&] {
    while (const auto value = scalar.pop()) {
      for (std::uint32_t word : value->value.words) ASSERT_EQ(word, value->step);
      ASSERT_GE(value->step, after);
      after = value->step + 1;
      ++popped;
    }
  };
  for (std::uint32_t i = 0; i < 20000; ++i) {
    set_result_kernel<<<1, 1, 0, streams[i % 2]>>>(results.get() + i % 2, i);
    ASSERT_CUDA(scalar.enqueue(results.get() + i % 2, streams[i % 2]));
    if (i % 3 == 0) pop_all();
  }
  ASSERT_CUDA(scalar.drain());
  pop_all();
  EXPECT_EQ(popped + scalar.skipped() + scalar.overwritten(), 20000u);
  EXPECT_GT(popped, 1000u);
}

TEST(DeferredScalarGpu, WaitForStepBoundsTheLead) {
  const Stream stream;
  const Device<float> loss;
  DeferredScalar<float> scalar(16);
  for (std::uint64_t i = 0; i < 100; ++i) {
    spin(stream, 500);
    ASSERT_CUDA(scalar.enqueue(loss.get(), i, stream));
    if (i >= 4) ASSERT_CUDA(scalar.wait_for_step(i - 4));
    EXPECT_LE(scalar.lag(), 4u);
    if (i == 50) EXPECT_GE(scalar.lag(), 2u) << "it waited for more than it had to";
  }
  EXPECT_EQ(scalar.skipped(), 0u);
}

// enqueue() is refused under capture, asking is allowed, and neither spoils a capture in the strictest mode.
TEST(DeferredScalarGpu, DoesNotDisturbACapture) {
  const Stream stream, captured;
  const Device<float> loss;
  DeferredScalar<float> scalar(4);
  spin(stream, 20000);
  ASSERT_CUDA(scalar.enqueue(loss.get(), stream));
  cudaGraph_t graph = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  set_kernel<<<1, 1, 0, captured>>>(loss.get(), 1.0f);
  EXPECT_EQ(scalar.enqueue(loss.get(), captured), cudaErrorStreamCaptureUnsupported);
  EXPECT_FALSE(scalar.latest().has_value());
  EXPECT_CUDA(scalar.status());
  EXPECT_CUDA(cudaStreamEndCapture(captured, &graph));
  cudaGraphDestroy(graph);
  ASSERT_CUDA(scalar.drain());
  EXPECT_TRUE(scalar.latest().has_value());
}

// One graph of {compute, publish}, replayed faster than the host reads: no value is torn, every one is accounted for.
TEST(GraphScalarGpu, ReplaysBringOneValueEach) {
  constexpr std::uint64_t kReplays = 20000;
  const Stream stream;
  const Device<Result> result;
  const Device<std::uint32_t> runs;
  GraphScalar<Result> scalar(8);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  next_result_kernel<<<1, 1, 0, stream>>>(result.get(), runs.get());
  ASSERT_CUDA(syncsniff::publish(scalar, result.get(), stream));
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));

  std::uint64_t popped = 0, next = 0;
  const auto pop_all = [&] {
    while (const auto value = scalar.pop()) {
      for (std::uint32_t word : value->value.words) ASSERT_EQ(word, value->step);
      ASSERT_GE(value->step, next);
      next = value->step + 1;
      ++popped;
    }
  };
  for (std::uint64_t i = 0; i < kReplays; ++i) {
    ASSERT_CUDA(cudaGraphLaunch(executable, stream));
    pop_all();
    if (const auto newest = scalar.latest()) {
      for (std::uint32_t word : newest->value.words) ASSERT_EQ(word, newest->step);
    }
  }
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  pop_all();
  EXPECT_EQ(next, kReplays);
  EXPECT_EQ(popped + scalar.missed(), kReplays);
  EXPECT_GT(popped, kReplays / 10);
  ASSERT_TRUE(scalar.latest());
  EXPECT_EQ(scalar.latest()->step, kReplays - 1);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
