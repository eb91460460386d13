// A function that reads a clock around a loop over what it is handed measures that: the waits in it are the measurement's.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <functional>

__global__ void forward(float* x);

double seconds(const std::function<void()>& work, int times = 10) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - start).count() / times;
}

// Nobody measures it: the loop is the program's.
void repeat(const std::function<void()>& work, int times) {
  for (int i = 0; i < times; ++i) work();
}

// It times its own steps, as trainers do for their log.
void train(float* x, int steps) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) {
    forward<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    forward<<<1, 256>>>(x);
  }
  std::printf("%f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  std::printf("%f\n", seconds([&] {
    forward<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }));
  repeat([&] {
    forward<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }, 1000);
  train(x, 1000);
}
