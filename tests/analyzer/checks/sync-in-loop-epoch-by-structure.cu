// Where no optimizer tells which loop steps: how often the inner loop launches for each wait, and what it goes through.
#include <cuda_runtime.h>
#include <vector>

__global__ void k(float* x, int n);

struct Layer {
  float* w;
};

void once_in_a_thousand(float* x, int n) {
  for (int e = 0; e < 50; ++e) {
    for (int i = 0; i < 1000; ++i) k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

void a_few_sweeps(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < 20; ++i) k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void over_batches(float* x, const std::vector<int>& batches) {
  for (int e = 0; e < 50; ++e) {
    for (int size : batches) k<<<size, 256>>>(x, size);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

void over_layers(float* x, int n, const std::vector<Layer>& layers) {
  for (int epoch = 0; epoch < 50; ++epoch) {
    for (const Layer& layer : layers) k<<<1, 256>>>(layer.w, n);  // expect-high [per-tensor-loop]
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void whole_set(float* x, int n, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// In the loop over steps that the epoch's calls, each wait is a step's.
void wait_in_pass(float* x, int n) {
  for (int i = 0; i < 100; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
void passes(float* x, int n) {
  for (int e = 0; e < 10; ++e) wait_in_pass(x, n);
}

void pass(float* x, int n, int batches) {
  for (int batch = 0; batch < batches; ++batch) k<<<1, 256>>>(x, n);
}
void through_a_call(float* x, int n, int epochs, int batches) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    pass(x, n, batches);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}
