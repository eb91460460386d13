// Loops whose neighbouring threads read neighbouring elements, or what costs nothing.
#include <cuda_runtime.h>

__global__ void grid_stride(float* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) data[i] *= 2.0f;
}

__global__ void block_stride(float* out, const float* in, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  atomicAdd(out, sum);
}

// A column for each thread.
__global__ void columns(float* out, const float* in, int rows, int width) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += in[r * width + c];
  out[c] = sum;
}

// The rows of a are chosen by y: the threads of a warp read the same element.
__global__ void product(float* c, const float* a, const float* b, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// A few elements, which one sector holds.
__global__ void points(float* out, const float* in) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += in[t * 3 + k];
  out[t] = sum;
}

__global__ void in_shared(float* out, const float* in, int chunk) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < chunk; ++k) sum += tile[threadIdx.x * chunk + k];
  out[threadIdx.x] = sum;
}

// Where each thread begins, nobody shows.
__global__ void lists(float* out, const float* in, const int* begins) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = begins[t]; i < begins[t + 1]; ++i) sum += in[i];
  out[t] = sum;
}

// A warp for each row.
__global__ void warps(float* out, const float* in, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int c = lane; c < columns; c += 32) sum += in[row * columns + c];
  atomicAdd(&out[row], sum);
}

// One thread a block has no neighbour.
__global__ void blocks_of_one(float* out, const float* in, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < chunk; ++k) sum += in[t * chunk + k];
  out[t] = sum;
}
void run(float* x, float* y) { blocks_of_one<<<100, 1>>>(x, y, 64); }
