// Spinning on memory that the GPU writes waits as a synchronize would; spinning on anything else is not our business.
#include <cuda_runtime.h>
#include <atomic>

__global__ void k(float* x, volatile int* flag);

void mapped(float* x, int steps) {
  int* raw = nullptr;
  cudaHostAlloc(&raw, sizeof(int), cudaHostAllocMapped);
  volatile int* flag = raw;
  for (int i = 0; i < steps; ++i) {
    *flag = 0;
    k<<<1, 256>>>(x, flag);
    while (*flag == 0) {  // expect-high [sync-in-loop]
    }
  }
}

void element(float* x, int steps) {
  volatile int* flags = nullptr;
  cudaMallocHost(const_cast<int**>(&flags), 2 * sizeof(int));
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, flags);
    while (!flags[1]) continue;  // expect-high [sync-in-loop]
  }
}

void another_thread(float* x, int steps, volatile int* flag, std::atomic<bool>& ready) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, flag);
    while (!*flag) {
    }
    while (!ready) {
    }
  }
}
