// What surrounds the kernels of a step: input copied from the host, launches captured once, pinned blocks lent.
#include <syncsniff/graphed_step.h>
#include <syncsniff/pinned_pool.h>
#include <syncsniff/prefetcher.h>
#include <syncsniff/staging.h>

#include <cstring>
#include <vector>

#include "benches.h"
#include "timing.cuh"

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;
constexpr int kLaunches = 200;

__global__ void little_kernel(float* value) { *value += 1.0f; }

void measure_copies(cudaStream_t stream, bench::Timer& timer) {
  void *device = nullptr, *pinned = nullptr;
  std::vector<char> pageable(kBytes, 1);
  BENCH_CHECK(cudaMalloc(&device, kBytes));
  BENCH_CHECK(cudaMallocHost(&pinned, kBytes));
  std::memset(pinned, 1, kBytes);
  std::printf("%.0f MB from the host\n", double(kBytes) * 1e-6);
  const auto row = [&](const char* name, auto work) { bench::print_rate(name, timer.time(20, work), double(kBytes)); };
  row("cudaMemcpyAsync, from pinned memory",
      [&] { BENCH_CHECK(cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream)); });
  row("cudaMemcpyAsync, from pageable memory",
      [&] { BENCH_CHECK(cudaMemcpyAsync(device, pageable.data(), kBytes, cudaMemcpyHostToDevice, stream)); });
  syncsniff::StagedCopy staged(std::size_t{16} << 20, 8);
  row("StagedCopy::copy, from pageable memory",
      [&] { BENCH_CHECK(staged.copy(device, pageable.data(), kBytes, stream)); });
  // The copy of the next batch goes on while the last sample ends and the L2 is flushed, which is what it is for: less
  // than the link takes.
  syncsniff::PrefetchOptions options;
  options.max_bytes = kBytes;
  syncsniff::Prefetcher prefetcher(options, [](std::uint64_t, void*, std::size_t capacity) { return capacity; });
  syncsniff::PrefetchedBatch batch;
  row("Prefetcher::next, some of it hidden", [&] { BENCH_CHECK(prefetcher.next(stream, batch)); });
  BENCH_CHECK(cudaFree(device));
  BENCH_CHECK(cudaFreeHost(pinned));
}

void measure_graph(cudaStream_t stream, bench::Timer& timer) {
  float* value = nullptr;
  BENCH_CHECK(cudaMalloc(&value, sizeof(float)));
  const auto step = [&](cudaStream_t on) {
    for (int i = 0; i < kLaunches; ++i) little_kernel<<<1, 1, 0, on>>>(value);
    return cudaGetLastError();
  };
  std::printf("a step of %d small launches\n", kLaunches);
  bench::print_time("one by one", timer.time(30, [&] { BENCH_CHECK(step(stream)); }));
  syncsniff::GraphedStep<> graphed;
  bench::print_time("GraphedStep::run", timer.time(30, [&] { BENCH_CHECK(graphed.run(stream, step)); }));
  BENCH_CHECK(cudaFree(value));
}

void measure_pool(bench::Timer& timer) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::printf("a pinned block of 1 MiB (host alone)\n");
  // Both wait for the device, where it has something to do.
  bench::print_time("cudaMallocHost, cudaFreeHost", timer.time_idle(20, [&] {
    void* block = nullptr;
    BENCH_CHECK(cudaMallocHost(&block, kBlock));
    BENCH_CHECK(cudaFreeHost(block));
  }));
  syncsniff::PinnedPool pool;
  bench::print_time("PinnedPool::acquire, release", timer.time_idle(50, [&] { pool.release(pool.acquire(kBlock)); }));
}

}  // namespace

void bench::steps(cudaStream_t stream) {
  Timer timer(stream);
  measure_copies(stream, timer);
  measure_graph(stream, timer);
  measure_pool(timer);
}
