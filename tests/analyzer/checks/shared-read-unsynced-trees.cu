// Reductions over a tree, and what one thread writes for all: with a barrier, and without.
#include <cuda_runtime.h>

__global__ void no_barrier_at_all(float* out, const float* in) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];  // expect-medium [shared-read-unsynced]
  }
  if (t == 0) out[0] = s[0];
}

__global__ void none_in_the_loop(float* out, const float* in) {
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  unsigned k = blockDim.x / 2;
  while (k != 0) {
    if (t < k) s[t] = s[t] + s[t + k];  // expect-medium [shared-read-unsynced]
    k /= 2;
  }
  if (t == 0) out[0] = s[0];
}

__global__ void upwards(float* out, const float* in) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    if (t % (2 * k) == 0) s[t] += s[t + k];  // expect-medium [shared-read-unsynced]
  }
  out[t] = s[t];
}

__global__ void with_barriers(float* out, const float* in) {
  __shared__ float s[256], u[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  u[t] = in[t + 256];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    __syncthreads();
    if (t < k) u[t] += u[t + k];
  }
  if (t == 0) out[0] = s[0] + u[0];
}

// The steps stay inside of one warp.
__global__ void rows_of_a_warp(float* out, const float* in) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int k = 16; k > 0; k >>= 1) {
    if (t % 32 < k) s[t] += s[t + k];
    __syncwarp();
  }
  out[t] = s[t];
}

// The next iteration reads what this one writes.
__global__ void carried(float* out, const float* in, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const float next = s[255 - t];  // expect-medium [shared-read-unsynced]
    __syncthreads();
    s[t] = next * 2;
  }
  out[t] = s[t];
}

__global__ void one_for_all(float* out, const float* in) {
  __shared__ float mean;
  __shared__ float pair[2];
  const int t = threadIdx.x;
  if (t == 0) mean = in[0];
  if (!threadIdx.x) pair[0] = in[1];
  out[t] = in[t] - mean;     // expect-medium [shared-read-unsynced]
  out[t] = in[t] * pair[0];  // expect-medium [shared-read-unsynced]
}

__global__ void one_for_all_with_barrier(float* out, const float* in, int n) {
  __shared__ float mean, best;
  __shared__ int count;
  const int t = threadIdx.x;
  count = 0;
  for (int i = 0; i < n; ++i) {
    if (t == 0) mean = in[i];
    __syncthreads();
    out[t] = in[t] - mean;
    __syncthreads();
  }
  if (t == 0) {
    best = in[0];
    out[0] = best * 2;
  }
  if (t == 0) out[1] = best;
  __syncthreads();
  if (t < 32) out[t] += best;
  atomicAdd(&count, 1);
  out[t] += count;
}

// Each thread of the first warp comes after its own barrier.
__global__ void within_one_warp(float* out, const float* in) {
  __shared__ float first;
  const int t = threadIdx.x;
  if (t < 32) {
    if (t == 0) first = in[0];
    __syncwarp();
    out[t] = first;
  }
}

void train(float* x, float* y) {
  no_barrier_at_all<<<1, 256>>>(x, y);
  one_for_all<<<1, 256>>>(x, y);
}
