// level: 2
// A long sequence of launches that is the same in every iteration.
#include <cuda_runtime.h>

__global__ void k(float* x, const int* from) { x[from[threadIdx.x]] += 1.0f; }

void layer(float* x, const int* from) {
  k<<<1, 64>>>(x, from);
  k<<<1, 64>>>(x, from);
}
void forward(float* x, const int* from) {
  for (int i = 0; i < 12; ++i) layer(x, from);
}

void train(float* x, const int* from, int steps) {
  for (int step = 0; step < steps; ++step) {  // expect-high {{24 kernels}} [launch-bound-step]
    forward(x, from);
  }
}

// Too few.
void few(float* x, const int* from, int steps) {
  for (int step = 0; step < steps; ++step) {
    layer(x, from);
    layer(x, from);
  }
}

// The host decides in between.
void decides(float* x, const int* from, int steps, bool twice) {
  for (int step = 0; step < steps; ++step) {
    forward(x, from);
    if (twice) forward(x, from);
  }
}

// A wait, an allocation and an unknown function cannot be captured.
void reads(float* host);
void others(float* x, const int* from, float* host, int steps) {
  for (int step = 0; step < steps; ++step) {
    forward(x, from);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  for (int step = 0; step < steps; ++step) {
    reads(host);
    forward(x, from);
  }
}
