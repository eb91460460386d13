// What the GPU tests of the kernel headers share: a device that can be kept busy, a clock, and a main() that skips
// (exit 77) where there is no device.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)
#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess)

namespace gpu_test {

inline __device__ std::uint64_t device_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// One thread that keeps its stream busy for `us` microseconds.
__global__ static void spin_kernel(std::uint64_t us) {
  const std::uint64_t end = device_ns() + us * 1000;
  while (device_ns() < end) {
  }
}
inline void spin(cudaStream_t stream, std::uint64_t us) { spin_kernel<<<1, 1, 0, stream>>>(us); }

// Milliseconds since it was made.
class Clock {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class Stream {
 public:
  Stream() { EXPECT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Zeroed device memory.
template <typename T>
class Device {
 public:
  explicit Device(std::size_t count = 1) {
    EXPECT_CUDA(cudaMalloc(&data_, count * sizeof(T)));
    EXPECT_CUDA(cudaMemset(data_, 0, count * sizeof(T)));
    EXPECT_CUDA(cudaDeviceSynchronize());
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() const { return data_; }
  T read(std::size_t i = 0) const {
    T value{};
    EXPECT_CUDA(cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }

 private:
  T* data_ = nullptr;
};

inline int run_all(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 77;
  }
  // Modules load at the first launch, which takes milliseconds and may wait: before any clock runs.
  spin(nullptr, 1);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return RUN_ALL_TESTS();
}

}  // namespace gpu_test
