// Between the epochs' inner loops: rare, so no more than medium. A step's inner loop over layers is no epoch's.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void k(float* x, int n);

void train(float* x, int n, int epochs, int batches) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    printf("epoch %d\n", epoch);
  }
}

void steps(float** x, int n, int steps, int layers) {
  for (int step = 0; step < steps; ++step) {
    for (int l = 1; l < layers; ++l) k<<<1, 256>>>(x[l - 1], n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    printf("step %d\n", step);
  }
}
