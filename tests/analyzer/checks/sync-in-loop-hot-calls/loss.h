// A place that is hot by several calls is a finding of each.
#pragma once
#include <cuda_runtime.h>

__global__ void sum(const float* x, float* out);
__global__ void train_kernel(float* x);

struct Loss {
  const float* x;
  float* out;
  float value() {
    sum<<<1, 256>>>(x, out);
    // expect-calls@+1 [sync-in-loop] train.cu:9, train.cu:18, train.cu:19, train.cu:27, more.cu:18, more.cu:32
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    sum<<<1, 1>>>(x, out);
    return 0;
  }
};

void report(Loss& loss);
