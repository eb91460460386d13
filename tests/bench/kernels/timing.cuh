// Fair timing of GPU work: the L2 flushed before each sample, warm-up, median and spread. For benchmarks alone.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#define BENCH_CHECK(call)                                                                       \
  do {                                                                                          \
    const cudaError_t bench_error = (call);                                                     \
    if (bench_error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(bench_error)); \
      std::exit(EXIT_FAILURE);                                                                  \
    }                                                                                           \
  } while (0)

namespace bench {

struct Spread {
  double p10 = 0, median = 0, p90 = 0;
};

inline Spread spread_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) { return samples[static_cast<std::size_t>(share * double(samples.size() - 1))]; };
  return {at(0.1), at(0.5), at(0.9)};
}

struct Timing {
  Spread gpu_us;   // from the first to the last of the work, by events
  Spread host_us;  // time to issue it
};

class Timer {
 public:
  explicit Timer(cudaStream_t stream) : stream_(stream) {
    BENCH_CHECK(cudaMalloc(&flush_, kFlushBytes));
    BENCH_CHECK(cudaEventCreate(&begin_));
    BENCH_CHECK(cudaEventCreate(&end_));
  }
  ~Timer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaFree(flush_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // The flush runs while the host issues the work, so that the launch's own latency is not in the GPU's figure.
  template <typename Work>
  Timing time(int samples, Work work) {
    return measure(samples, work, true);
  }
  // The host's work alone, beside a device that has nothing to do.
  template <typename Work>
  Timing time_idle(int samples, Work work) {
    return measure(samples, work, false);
  }

 private:
  template <typename Work>
  Timing measure(int samples, Work work, bool flush) {
    constexpr int kWarmUp = 3;
    std::vector<double> gpu, host;
    for (int i = 0; i < samples + kWarmUp; ++i) {
      if (flush) BENCH_CHECK(cudaMemsetAsync(flush_, i, kFlushBytes, stream_));
      BENCH_CHECK(cudaEventRecord(begin_, stream_));
      const auto before = std::chrono::steady_clock::now();
      work();
      const auto after = std::chrono::steady_clock::now();
      BENCH_CHECK(cudaEventRecord(end_, stream_));
      BENCH_CHECK(cudaEventSynchronize(end_));
      float ms = 0.0f;
      BENCH_CHECK(cudaEventElapsedTime(&ms, begin_, end_));
      if (i < kWarmUp) continue;
      gpu.push_back(double(ms) * 1e3);
      host.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    }
    return {spread_of(gpu), spread_of(host)};
  }

  static constexpr std::size_t kFlushBytes = std::size_t{512} << 20;  // ten times an H200's L2, 100 us of writing
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* flush_ = nullptr;
};

// The problems of all benchmarks, in elements a tensor: many short ones; short ones with every fifth one long.
inline std::vector<std::uint64_t> short_sizes(std::size_t count, std::mt19937& random) {
  std::vector<std::uint64_t> elements(count);
  for (auto& size : elements) size = 1 + random() % 17000;
  return elements;
}
inline std::vector<std::uint64_t> mixed_sizes(std::mt19937& random) {
  std::vector<std::uint64_t> elements(500);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = i % 5 == 0 ? 2200000 + i * 37 : 1 + random() % 17000;
  return elements;
}

// Work that is measured in time alone.
inline void print_time(const std::string& name, const Timing& timing) {
  std::printf("  %-34s %10.1f us (%.1f - %.1f)  issue %8.1f us\n", name.c_str(), timing.gpu_us.median,
              timing.gpu_us.p10, timing.gpu_us.p90, timing.host_us.median);
}

inline void print_rate(const std::string& name, const Timing& timing, double bytes) {
  std::printf("  %-34s %10.1f us (%.1f - %.1f)  issue %8.1f us  %7.0f GB/s\n", name.c_str(), timing.gpu_us.median,
              timing.gpu_us.p10, timing.gpu_us.p90, timing.host_us.median, bytes / timing.gpu_us.median * 1e-3);
}

// bytes: what the work has to move at least. copy_gb_s: the machine's own copy, measured in the same run.
inline void print_row(const std::string& name, const Timing& timing, double bytes, double copy_gb_s) {
  const double gb_s = bytes / timing.gpu_us.median * 1e-3;
  std::printf("  %-34s %10.1f us (%.1f - %.1f)  issue %8.1f us  %7.0f GB/s  %5.1f %% of copy\n", name.c_str(),
              timing.gpu_us.median, timing.gpu_us.p10, timing.gpu_us.p90, timing.host_us.median, gb_s,
              100.0 * gb_s / copy_gb_s);
}

}  // namespace bench
