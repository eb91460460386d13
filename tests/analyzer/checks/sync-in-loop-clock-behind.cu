// A clock that is read behind the loop times all of it: one wait, behind the loop, is needed for that.
#include <cuda_runtime.h>

#include <cstdio>
#include <ctime>

__global__ void k(float* x, int n);

void train(float* x, int epochs, int batches) {
  const clock_t start = clock();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) {
      k<<<4, 256>>>(x, 1024);
      cudaDeviceSynchronize();  // expect-high {{the host waits for the device}} [sync-in-loop]
    }
  }
  cudaDeviceSynchronize();
  printf("%.3f s\n", (clock() - start) / double(CLOCKS_PER_SEC));
}

// Each step is timed.
void time_steps(float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    const clock_t start = clock();
    k<<<4, 256>>>(x, 1024);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    printf("%.3f s\n", (clock() - start) / double(CLOCKS_PER_SEC));
  }
}
