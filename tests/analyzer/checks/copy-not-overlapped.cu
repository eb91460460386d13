// level: 2
// The step's own batch is copied on the stream that works on it.
#include <cuda_runtime.h>

__global__ void k(float* x, const int* from) { x[from[threadIdx.x]] += 1.0f; }

void train(float* x, const int* from, int n, int steps, cudaStream_t stream) {
  float* batches;
  cudaMallocHost(&batches, steps * n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, batches + step * n, n * sizeof(float), cudaMemcpyHostToDevice, stream);  // expect-high [copy-not-overlapped]
    k<<<1, 256, 0, stream>>>(x, from);
  }
}

// The next batch, behind the launch; on another stream; the same memory each time.
void quiet(float* const* x, const int* from, int n, int steps, cudaStream_t stream, cudaStream_t copies) {
  float* batches;
  cudaMallocHost(&batches, steps * n * sizeof(float));
  for (int step = 0; step + 1 < steps; ++step) {
    k<<<1, 256, 0, stream>>>(x[step & 1], from);
    cudaMemcpyAsync(x[(step + 1) & 1], batches + (step + 1) * n, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  }
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x[step & 1], batches + step * n, n * sizeof(float), cudaMemcpyHostToDevice, copies);
    k<<<1, 256, 0, stream>>>(x[1], from);
  }
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x[0], batches, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    k<<<1, 256, 0, stream>>>(x[0], from);
  }
}
