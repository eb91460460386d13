// Shared memory that other warps write, read with no barrier between.
#include <cuda_runtime.h>

__device__ float square(float x) { return x * x; }

__global__ void neighbour(float* out, const float* in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = square(tile[threadIdx.x]) + sqrtf(tile[threadIdx.x + 1]);  // expect-medium {{'tile[threadIdx.x + 1]'}} [shared-read-unsynced]
}

__global__ void first_of_block(float* out, const float* in) {
  extern __shared__ float block_values[];
  const int t = threadIdx.x;
  block_values[t] = in[t];
  out[t] = block_values[t] - block_values[0];  // expect-medium [shared-read-unsynced]
}

__global__ void reversed(float* out, const float* in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[255 - threadIdx.x];  // expect-medium [shared-read-unsynced]
}

__global__ void one_adds_up(float* out, const float* in, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = in[i];
  if (t == 0) {
    float sum = 0;
    for (int k = 0; k < 256; ++k) sum += tile[k];  // expect-medium [shared-read-unsynced]
    *out = sum;
  }
}

__global__ void product(float* c, const float* a, const float* b, int n) {
  __shared__ float as[16][16], bs[16][16];
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    as[threadIdx.y][threadIdx.x] = a[m];
    bs[threadIdx.y][threadIdx.x] = b[m];
    for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];  // expect-medium {{'bs[k][threadIdx.x]'}} [shared-read-unsynced]
    __syncthreads();
  }
  c[0] = sum;
}

void train(float* x, float* y, int steps) {
  neighbour<<<1, 256>>>(x, y);
}
