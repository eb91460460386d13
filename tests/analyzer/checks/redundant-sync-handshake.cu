// Between two waits another thread is let go, and enqueues: the second is needed.
#include <cuda_runtime.h>

#include <atomic>

__global__ void k(float* x, int n);

void hand_over(float* x, int n, int steps, std::atomic<int>& turn) {
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    turn.store(1);
    while (turn.load() != 0) {
    }
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
