// A lambda that a variable holds, handed to a thread or to std::async that each step waits for.
#include <cuda_runtime.h>

#include <future>
#include <thread>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

int main() {
  float h, *x;
  cudaMalloc(&x, 1 << 22);
  for (int s = 0; s < 1000; ++s) {
    auto body = [&] {
      work<<<1, 256>>>(x, 256);
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    };
    std::thread t(body);
    t.join();
  }
  for (int s = 0; s < 1000; ++s) {
    auto value = [&] {
      work<<<1, 256>>>(x, 256);
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
      return h;
    };
    auto result = std::async(std::launch::async, value);
    result.get();
  }
}
