#include <cuda_runtime.h>

#include "pool.h"

__global__ void k(float* x, int n);

int main() {
  Layer* layer = make_layer(1024);
  float* x = take(1024);
  for (int step = 0; step < 1000; ++step) {
    float* batch = take(1024);  // expect-high {{cudaMalloc}} [alloc-in-loop]
    k<<<1, 256>>>(batch, 1024);
    layer->forward(x, 1024);
    give_back(batch);
  }
  give_back(x);
  delete layer;
}
