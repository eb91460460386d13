// GraphedStep on a real GPU: replays give the same bits as direct launches, keys get their own arguments, and what
// cannot be captured is told without harm.
#include <syncsniff/graphed_step.h>
#include <syncsniff/staging.h>

#include <stdexcept>
#include <vector>

#include "kernel_test.cuh"

namespace {

using gpu_test::Device;
using gpu_test::Stream;
using syncsniff::GraphedStep;
using syncsniff::GraphedStepOptions;

constexpr int kCount = 10000;

__global__ void axpy_kernel(float* y, const float* x, float a) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) y[i] = y[i] * 0.99f + a * x[i];
}
__global__ void fill_kernel(float* x, float seed) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) x[i] = __sinf(seed * static_cast<float>(i));
}
// One step of 20 launches.
void launch(float* y, const float* x, float a, cudaStream_t stream, int launches = 20) {
  for (int i = 0; i < launches; ++i) {
    axpy_kernel<<<(kCount + 255) / 256, 256, 0, stream>>>(y, x, a / static_cast<float>(i + 1));
  }
}

class GraphedStepGpu : public testing::Test {
 protected:
  GraphedStepGpu() {
    fill_kernel<<<(kCount + 255) / 256, 256>>>(inputs_.get(), 0.1f);
    fill_kernel<<<(kCount + 255) / 256, 256>>>(inputs_.get() + kCount, 0.7f);
    EXPECT_CUDA(cudaDeviceSynchronize());
  }
  const float* input(int i) const { return inputs_.get() + i * kCount; }
  static std::vector<float> read(const Device<float>& device) {
    EXPECT_CUDA(cudaDeviceSynchronize());
    std::vector<float> out(kCount);
    EXPECT_CUDA(cudaMemcpy(out.data(), device.get(), kCount * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
  }
  using Key = std::tuple<const float*, float>;
  static GraphedStepOptions with(std::size_t max_graphs, unsigned warm_up = 1) {
    GraphedStepOptions options;
    options.max_graphs = max_graphs;
    options.warm_up = warm_up;
    return options;
  }

  Device<float> inputs_{2 * kCount}, direct_{kCount}, graphed_{kCount};
  Stream stream_;
};

TEST_F(GraphedStepGpu, ReplaysGiveTheBitsOfDirectLaunches) {
  GraphedStep<> step;
  for (int i = 0; i < 200; ++i) {
    launch(direct_.get(), input(0), 0.3f, stream_);
    ASSERT_CUDA(step.run(stream_, [&](cudaStream_t stream) { launch(graphed_.get(), input(0), 0.3f, stream); }));
  }
  EXPECT_EQ(read(direct_), read(graphed_));
  EXPECT_EQ(step.captures(), 1u);
  EXPECT_EQ(step.replays(), 199u);
}

TEST_F(GraphedStepGpu, RotatingInputsEachHaveTheirGraph) {
  GraphedStep<Key> step(with(2));
  for (int i = 0; i < 100; ++i) {
    const float* x = input(i % 2);
    launch(direct_.get(), x, 0.3f, stream_);
    ASSERT_CUDA(step.run({x, 0.3f}, stream_, [&](cudaStream_t stream) { launch(graphed_.get(), x, 0.3f, stream); }));
  }
  EXPECT_EQ(read(direct_), read(graphed_));
  EXPECT_EQ(step.captures(), 2u);
}

// A scalar that changes every step, and a replay of the old value in flight while the graph is updated.
TEST_F(GraphedStepGpu, AChangedScalarIsAnUpdate) {
  GraphedStep<Key> step(with(1));
  for (int i = 0; i < 50; ++i) {
    const float a = 0.01f * static_cast<float>(i);
    launch(direct_.get(), input(0), a, stream_);
    ASSERT_CUDA(
        step.run({input(0), a}, stream_, [&](cudaStream_t stream) { launch(graphed_.get(), input(0), a, stream); }));
  }
  EXPECT_EQ(read(direct_), read(graphed_));
  EXPECT_EQ(step.captures(), 49u);
  EXPECT_EQ(step.updates(), 48u);
  EXPECT_EQ(step.instantiations(), 1u);
}

TEST_F(GraphedStepGpu, AnotherNumberOfLaunchesIsInstantiatedAnew) {
  GraphedStep<std::tuple<int>> step(with(1));
  for (int i = 0; i < 30; ++i) {
    const int launches = 5 + i % 3;
    launch(direct_.get(), input(0), 0.2f, stream_, launches);
    ASSERT_CUDA(step.run({launches}, stream_,
                         [&](cudaStream_t stream) { launch(graphed_.get(), input(0), 0.2f, stream, launches); }));
  }
  EXPECT_EQ(read(direct_), read(graphed_));
  EXPECT_EQ(step.updates(), 0u);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(GraphedStepGpu, TheLegacyStreamCanRunAGraphButNotBeUsedInTheStep) {
  GraphedStep<> step(with(1, 0));
  ASSERT_CUDA(step.run(nullptr, [&](cudaStream_t stream) { launch(graphed_.get(), input(0), 0.3f, stream); }));
  launch(direct_.get(), input(0), 0.3f, stream_);
  EXPECT_EQ(read(direct_), read(graphed_));

  GraphedStep<> wrong(with(1, 0));
  const cudaError_t code = wrong.run(stream_, [&](cudaStream_t stream) {
    launch(graphed_.get(), input(0), 0.3f, stream, 1);
    launch(graphed_.get(), input(0), 0.3f, nullptr, 1);
  });
  EXPECT_NE(code, cudaSuccess);
  EXPECT_NE(wrong.why().find("legacy default stream"), std::string::npos) << wrong.why();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(GraphedStepGpu, WhatCannotBeCapturedIsToldAndHarmsNothing) {
  const std::vector<float> before = read(graphed_);
  GraphedStep<std::tuple<int>> step(with(1, 0));
  void* memory = nullptr;
  float host = 0.0f;
  const auto fails = [&](int key, auto what) {
    const cudaError_t code = step.run({key}, stream_, [&](cudaStream_t stream) {
      launch(graphed_.get(), input(0), 0.3f, stream);
      what(stream);
    });
    EXPECT_NE(code, cudaSuccess) << key;
    EXPECT_FALSE(step.why().empty());
    std::printf("%d: %s\n", key, step.why().c_str());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << key;
  };
  fails(1, [&](cudaStream_t stream) { static_cast<void>(cudaStreamSynchronize(stream)); });
  fails(2, [&](cudaStream_t) { static_cast<void>(cudaDeviceSynchronize()); });
  fails(3, [&](cudaStream_t) { static_cast<void>(cudaMalloc(&memory, 1024)); });
  fails(4, [&](cudaStream_t) {
    static_cast<void>(cudaMemcpy(&host, graphed_.get(), sizeof(host), cudaMemcpyDeviceToHost));
  });
  fails(5, [&](cudaStream_t stream) { axpy_kernel<<<1, 4096, 0, stream>>>(graphed_.get(), input(0), 1.0f); });
  EXPECT_THROW(static_cast<void>(step.run({6}, stream_, [](cudaStream_t) { throw std::runtime_error("no"); })),
               std::runtime_error);
  EXPECT_EQ(step.run({7}, stream_, [](cudaStream_t) {}), cudaErrorInvalidValue);
  EXPECT_EQ(read(graphed_), before) << "a failed capture ran something";

  ASSERT_CUDA(step.run({8}, stream_, [&](cudaStream_t stream) { launch(graphed_.get(), input(0), 0.3f, stream); }));
  launch(direct_.get(), input(0), 0.3f, stream_);
  EXPECT_EQ(read(direct_), read(graphed_));
}

// The two belong together: the prefetcher's buffers take turns, so each has its graph; its thread works on during
// capture.
TEST_F(GraphedStepGpu, WithAPrefetcherBesideIt) {
  constexpr std::size_t kBytes = kCount * sizeof(float);
  syncsniff::Prefetcher prefetcher({kBytes, 3, true}, [](std::uint64_t index, void* pinned, std::size_t) {
    for (int i = 0; i < kCount; ++i) static_cast<float*>(pinned)[i] = static_cast<float>((index * 31 + i) % 17);
    return kBytes;
  });
  GraphedStep<std::tuple<void*>> step;
  for (int i = 0; i < 100; ++i) {
    syncsniff::PrefetchedBatch batch;
    ASSERT_CUDA(prefetcher.next(stream_, batch));
    const auto* x = static_cast<const float*>(batch.data);
    launch(direct_.get(), x, 0.3f, stream_);
    ASSERT_CUDA(step.run({batch.data}, stream_, [&](cudaStream_t stream) { launch(graphed_.get(), x, 0.3f, stream); }));
  }
  EXPECT_EQ(read(direct_), read(graphed_));
  EXPECT_EQ(step.captures(), 3u);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
