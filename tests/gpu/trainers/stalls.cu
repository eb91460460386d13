// A training loop in C++ with the stalls that its arguments ask for, each in a function of its own.
// usage: stalls [--steps N] [--kernels N] [--kernel-us US] [--load-us US] [--sleep-us US] [--readback] [--malloc] [--log-us US]
#include <cuda_runtime.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Clock = std::chrono::steady_clock;

static long option(int argc, char** argv, const char* name, long otherwise) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return i + 1 < argc && argv[i + 1][0] != '-' ? std::atol(argv[i + 1]) : 1;
  return otherwise;
}

__global__ void work(float* data, long long clocks) {
  const long long end = clock64() + clocks;
  while (clock64() < end) {
  }
  if (data[threadIdx.x] == 12345.0f) data[threadIdx.x] = 0;
}

[[gnu::noinline]] static void spin(long us) {
  const auto end = Clock::now() + std::chrono::microseconds(us);
  while (Clock::now() < end) {
  }
}

[[gnu::noinline]] static void load_batch(long us) {
  spin(us);
  asm volatile("");
}

[[gnu::noinline]] static void fetch_batch(long us) {
  const timespec length{us / 1000000, us % 1000000 * 1000};
  nanosleep(&length, nullptr);
  asm volatile("");
}

[[gnu::noinline]] static void write_log(long us) {
  spin(us);
  asm volatile("");
}

int main(int argc, char** argv) {
  const long steps = option(argc, argv, "--steps", 1000), kernels = option(argc, argv, "--kernels", 10);
  const long kernel_us = option(argc, argv, "--kernel-us", 20), load_us = option(argc, argv, "--load-us", 0);
  const long sleep_us = option(argc, argv, "--sleep-us", 0), log_us = option(argc, argv, "--log-us", 0);
  const bool readback = option(argc, argv, "--readback", 0) != 0, allocates = option(argc, argv, "--malloc", 0) != 0;
  int khz = 1000000;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  float *data = nullptr, *host = static_cast<float*>(std::malloc(4096)), sum = 0;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  std::vector<double> begins;
  for (long step = 0; step < steps; ++step) {
    if (step == 10) std::printf("first step\n"), std::fflush(stdout);
    begins.push_back(std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count());
    if (load_us != 0) load_batch(load_us);
    if (sleep_us != 0) fetch_batch(sleep_us);
    for (long i = 0; i < kernels; ++i) work<<<1, 32>>>(data, kernel_us * khz / 1000);
    if (readback) {
      cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost);
      sum += host[0];
    }
    if (allocates) {
      void* scratch = nullptr;
      cudaMalloc(&scratch, 8 << 20);
      cudaFree(scratch);
    }
    if (log_us != 0) write_log(log_us);
  }
  cudaDeviceSynchronize();
  std::printf("loss %g\nms_per_step to follow\n", sum), std::fflush(stdout);
  std::vector<double> lengths;
  for (size_t i = 1; i < begins.size(); ++i) lengths.push_back(begins[i] - begins[i - 1]);
  std::sort(lengths.begin(), lengths.end());
  std::printf("truth: rank=0 steps=%ld median_ms=%.4f mean_ms=%.4f\n", steps, lengths[lengths.size() / 2],
              (begins.back() - begins.front()) / static_cast<double>(lengths.size()));
  std::free(host);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
