// What a step does to tell the host something without waiting: a tensor tested for NaN, a value sent back. L2 flushed
// before every sample.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/device/device_reduce.cuh>
#include <syncsniff/nan_guard.cuh>
#include <syncsniff/readback.cuh>

#include "benches.h"
#include "timing.cuh"

namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;

template <typename T>
void measure_test(const char* type, void* data, cudaStream_t stream, bench::Timer& timer) {
  syncsniff::NanGuard guard;
  const std::size_t count = kBytes / sizeof(T);
  const bench::Timing timing = timer.time(
      30, [&] { BENCH_CHECK(syncsniff::test_finite(guard, static_cast<const T*>(data), count, 0, stream)); });
  bench::print_rate(std::string("test_finite, ") + type, timing, double(kBytes));
}

void measure_floor(const float* data, float* sum, cudaStream_t stream, bench::Timer& timer) {
  std::size_t workspace_bytes = 0;
  void* workspace = nullptr;
  const auto count = static_cast<long long>(kBytes / sizeof(float));
  BENCH_CHECK(cub::DeviceReduce::Sum(nullptr, workspace_bytes, data, sum, count, stream));
  BENCH_CHECK(cudaMalloc(&workspace, workspace_bytes));
  bench::print_rate(
      "floor: the bytes as floats, cub Sum",
      timer.time(30,
                 [&] { BENCH_CHECK(cub::DeviceReduce::Sum(workspace, workspace_bytes, data, sum, count, stream)); }),
      double(kBytes));
  BENCH_CHECK(cudaFree(workspace));
}

void measure_values(const float* value, cudaStream_t stream, bench::Timer& timer) {
  float* pinned = nullptr;
  BENCH_CHECK(cudaMallocHost(&pinned, sizeof(float)));
  std::printf("one value to the host\n");
  bench::print_time("cudaMemcpyAsync to pinned memory", timer.time(50, [&] {
    BENCH_CHECK(cudaMemcpyAsync(pinned, value, sizeof(float), cudaMemcpyDeviceToHost, stream));
  }));
  bench::print_time("the same, and a wait for it", timer.time(50, [&] {
    BENCH_CHECK(cudaMemcpyAsync(pinned, value, sizeof(float), cudaMemcpyDeviceToHost, stream));
    BENCH_CHECK(cudaStreamSynchronize(stream));
  }));
  syncsniff::DeferredScalar<float> deferred;
  bench::print_time("DeferredScalar::enqueue, pop", timer.time(50, [&] {
    BENCH_CHECK(deferred.enqueue(value, stream));
    deferred.pop();
  }));
  syncsniff::NanGuard guard;
  std::uint64_t step = 0;
  bench::print_time("NanGuard::read_value, check", timer.time(50, [&] {
    BENCH_CHECK(guard.read_value(value, step, stream));
    guard.check(step++);
  }));
  bench::print_time("NanGuard::read_flag, check", timer.time(50, [&] {
    BENCH_CHECK(guard.read_flag(step, stream));
    guard.check(step++);
  }));
  syncsniff::GraphScalar<float> graph_scalar;
  bench::print_time("publish (GraphScalar)", timer.time(50, [&] {
    BENCH_CHECK(syncsniff::publish(graph_scalar, value, stream));
    graph_scalar.pop();
  }));
  BENCH_CHECK(cudaFreeHost(pinned));
}

}  // namespace

void bench::one_tensor(cudaStream_t stream) {
  Timer timer(stream);
  float* data = nullptr;
  BENCH_CHECK(cudaMalloc(&data, kBytes + sizeof(float)));
  BENCH_CHECK(cudaMemset(data, 0, kBytes + sizeof(float)));
  std::printf("one tensor of %.0f MB\n", double(kBytes) * 1e-6);
  measure_floor(data, data + kBytes / sizeof(float), stream, timer);
  measure_test<float>("fp32", data, stream, timer);
  measure_test<__nv_bfloat16>("bf16", data, stream, timer);
  measure_test<__half>("fp16", data, stream, timer);
  measure_test<double>("fp64", data, stream, timer);
  measure_values(data, stream, timer);
  BENCH_CHECK(cudaFree(data));
}
