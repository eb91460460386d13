// A harness must wait before it reads its clock.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <ctime>

__global__ void k(float* x, int n);

void benchmark_kernel(float* x, int n) {
  for (int i = 0; i < 100; ++i) {
    auto start = std::chrono::high_resolution_clock::now();
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    auto stop = std::chrono::high_resolution_clock::now();
    printf("%f\n", std::chrono::duration<double>(stop - start).count());
  }
}

void step_times(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%ld\n", end.tv_nsec - start.tv_nsec);
  }
}

void event_times(float* x, int n, int steps, cudaEvent_t start, cudaEvent_t stop) {
  for (int step = 0; step < steps; ++step) {
    cudaEventRecord(start);
    k<<<1, 256>>>(x, n);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);  // expect-low {{to time the GPU work}} [sync-in-loop]
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    printf("%f\n", ms);
  }
}

struct Timer {
  cudaEvent_t start_, stop_;
  void start() { cudaEventRecord(start_); }
  float stop() {
    cudaEventRecord(stop_);
    cudaEventSynchronize(stop_);
    float ms = 0;
    cudaEventElapsedTime(&ms, start_, stop_);
    return ms;
  }
};

void bench(float* x, int n) {
  Timer timer;
  for (int i = 0; i < 10; ++i) {
    timer.start();
    k<<<1, 256>>>(x, n);
    printf("%f\n", timer.stop());  // expect-low {{to time the GPU work}} [sync-in-loop]
  }
}
