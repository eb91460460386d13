// A training loop in C++ with the stalls that its arguments ask for, each in a function of its own.
// usage: stalls [--steps N] [--kernels N] [--kernel-us US] [--load-us US] [--sleep-us US] [--readback] [--malloc]
//               [--log-us US] [--without load|sleep|readback|malloc|log]
// --without: every second block of steps goes without that stall, as in truth.py.
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

static const char* text_option(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  return "";
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

constexpr long kBlock = 20, kWarmUp = 10;  // steps, as in truth.py

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void tell_blocks(const std::vector<double>& lengths) {
  std::vector<double> kinds[2];
  for (size_t i = kWarmUp; i < lengths.size(); ++i)
    if (i % kBlock >= kBlock / 5) kinds[i / kBlock % 2].push_back(lengths[i]);
  if (kinds[0].empty() || kinds[1].empty()) return;
  std::printf("truth: blocks before_ms=%.4f after_ms=%.4f\n", median(kinds[0]), median(kinds[1]));
}

// Seconds of the monotonic clock, as truth.py writes them.
static void write_steps(const std::vector<double>& begins_ms) {
  const char* const path = std::getenv("TRUTH_STEPS");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file == nullptr) return;
  for (double ms : begins_ms) std::fprintf(file, "%.9f\n", ms / 1e3);
  std::fclose(file);
}

int main(int argc, char** argv) {
  const long steps = option(argc, argv, "--steps", 1000), kernels = option(argc, argv, "--kernels", 10);
  const long kernel_us = option(argc, argv, "--kernel-us", 20), load_us = option(argc, argv, "--load-us", 0);
  const long sleep_us = option(argc, argv, "--sleep-us", 0), log_us = option(argc, argv, "--log-us", 0);
  const bool readback = option(argc, argv, "--readback", 0) != 0, allocates = option(argc, argv, "--malloc", 0) != 0;
  const char* const without = text_option(argc, argv, "--without");
  int khz = 1000000;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  float *data = nullptr, *host = static_cast<float*>(std::malloc(4096)), sum = 0;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  std::vector<double> begins;
  for (long step = 0; step < steps; ++step) {
    if (step == 10) std::printf("first step\n"), std::fflush(stdout);
    begins.push_back(std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count());
    const bool is_repaired = step / kBlock % 2 != 0;
    auto has = [&](const char* stall) { return !is_repaired || std::strcmp(without, stall) != 0; };
    if (load_us != 0 && has("load")) load_batch(load_us);
    if (sleep_us != 0 && has("sleep")) fetch_batch(sleep_us);
    for (long i = 0; i < kernels; ++i) work<<<1, 32>>>(data, kernel_us * khz / 1000);
    if (readback && has("readback")) {
      cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost);
      sum += host[0];
    }
    if (allocates && has("malloc")) {
      void* scratch = nullptr;
      cudaMalloc(&scratch, 8 << 20);
      cudaFree(scratch);
    }
    if (log_us != 0 && has("log")) write_log(log_us);
  }
  cudaDeviceSynchronize();
  std::printf("loss %g\nms_per_step to follow\n", sum), std::fflush(stdout);
  write_steps(begins);
  std::vector<double> lengths;
  for (size_t i = 1; i < begins.size(); ++i) lengths.push_back(begins[i] - begins[i - 1]);
  if (*without != '\0') tell_blocks(lengths);
  std::printf("truth: rank=0 steps=%ld median_ms=%.4f mean_ms=%.4f\n", steps, median(lengths),
              (begins.back() - begins.front()) / static_cast<double>(lengths.size()));
  std::free(host);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
