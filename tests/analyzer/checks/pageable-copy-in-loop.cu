// The bandwidth half of a blocking copy, where its size is known and large.
#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>

__global__ void k(float* x, int n);
constexpr size_t kLarge = 4 << 20, kSmall = 4096;

void large(float* x, int steps) {
  float* host = static_cast<float*>(malloc(kLarge));
  std::vector<float> back(kLarge / sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(x, host, kLarge, cudaMemcpyHostToDevice);  // expect-high {{4 MiB from pageable}} [pageable-copy-in-loop] expect-high [blocking-copy-in-loop] expect-evidence [pageable-copy-in-loop] {{malloc}}
    k<<<1, 256>>>(x, 256);
    cudaMemcpy(back.data(), x, kLarge, cudaMemcpyDeviceToHost);  // expect-high {{into pageable}} [pageable-copy-in-loop] expect-high [blocking-copy-in-loop]
  }
}

// Small, of unknown size, pinned, or of unknown origin: the wait alone.
void others(float* x, float* given, size_t bytes, int steps) {
  float* host = static_cast<float*>(malloc(kLarge));
  float* pinned;
  cudaMallocHost(&pinned, kLarge);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(x, host, kSmall, cudaMemcpyHostToDevice);    // expect-high [blocking-copy-in-loop] expect-evidence [blocking-copy-in-loop] {{pageable}}
    k<<<1, 256>>>(x, 256);
    cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice);     // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, 256);
    cudaMemcpy(x, pinned, kLarge, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, 256);
    cudaMemcpy(x, given, kLarge, cudaMemcpyHostToDevice);   // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, 256);
  }
  cudaMemcpy(host, x, kLarge, cudaMemcpyDeviceToHost);
}
