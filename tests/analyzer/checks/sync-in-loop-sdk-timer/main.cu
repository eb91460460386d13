// A stopwatch whose body nobody shows, as the CUDA samples have it.
#include <cuda_runtime.h>

#include <cstdio>

#include "helper_timer.h"

void log_round(int round);

__global__ void scale(float* a) { a[threadIdx.x] *= 2.f; }

// Nothing is timed here.
void plain(float* d) {
  for (int i = 0; i < 100; ++i) {
    scale<<<1, 256>>>(d);
    cudaDeviceSynchronize();  // expect-high {{}} [sync-in-loop]
    log_round(i);
  }
}

int main() {
  float* d;
  cudaMalloc(&d, 4096);
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  plain(d);
  for (int i = 0; i < 100; ++i) {
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    sdkStartTimer(&timer);
    scale<<<1, 256>>>(d);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    sdkStopTimer(&timer);
  }
  printf("%f\n", sdkGetAverageTimerValue(&timer));
  cudaFree(d);
}
