// The same with a barrier, or within one warp.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__device__ void meet() { __syncthreads(); }
__device__ void somewhere();

__global__ void with_barrier(float* out, const float* in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1];
}

__global__ void barrier_in_function(float* out, const float* in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  meet();
  out[threadIdx.x] = tile[threadIdx.x + 1];
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  somewhere();
  out[threadIdx.x] = tile[threadIdx.x + 1];
}

__global__ void barrier_of_group(float* out, const float* in) {
  __shared__ float tile[256];
  auto block = cooperative_groups::this_thread_block();
  tile[threadIdx.x] = in[threadIdx.x];
  block.sync();
  out[threadIdx.x] = tile[threadIdx.x + 1];
}

__global__ void own_elements(float* out, const float* in) {
  __shared__ float tile[512];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 256] = in[threadIdx.x + 256];
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 256];
}

__global__ void tail_of_reduction(float* out, const float* in) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) tile[t] += tile[t + s];
    __syncthreads();
  }
  if (t == 0) out[0] = tile[0];
}

__global__ void one_warp_alone(float* out, const float* in) {
  __shared__ volatile float hot[256];
  __shared__ float tile[256];
  const int t = threadIdx.x;
  hot[t] = in[t];
  tile[t] = in[t];
  __syncthreads();
  if (t < 32) {
    tile[t] += tile[t + 32];
    tile[t] += tile[t + 16];
    hot[t] += hot[t + 16];
  }
  if (t == 0) out[0] = tile[0] + hot[0];
}

__global__ void __launch_bounds__(32) block_of_one_warp(float* out, const float* in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x + 1];
}
__global__ void launched_on_one_warp(float* out, const float* in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x + 1];
}

__global__ void sum_for_each_warp(float* out, const float* in) {
  __shared__ float sums[32];
  if (threadIdx.x < 32) sums[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = sums[0];
}

// Rows of 16 threads: the row that is read is in the same warp as the thread that wrote it.
__global__ void same_row(float* out, const float* in) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.y][threadIdx.x + 1];
}

// Which index, nobody shows.
__global__ void by_table(float* out, const float* in, const int* from) {
  __shared__ float tile[256];
  tile[from[threadIdx.x]] = in[threadIdx.x];
  float mine = tile[from[threadIdx.x] + 1];
  out[threadIdx.x] = mine;
}

// A barrier that only one way comes by.
__global__ void in_both_branches(float* out, const float* in, bool first) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  if (first)
    __syncthreads();
  else
    meet();
  out[threadIdx.x] = tile[threadIdx.x + 1];
}

void run(float* x, float* y) { launched_on_one_warp<<<10, 32>>>(x, y); }
