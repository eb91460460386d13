// Many kernels for each part of some arrays: one launch of each kernel, with one more dimension, runs it for all parts.
#include <cuda_runtime.h>

__global__ void scores(const float* q, const float* k, float* s, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += q[j * n + i] * k[j];
  s[i] = sum;
}

__global__ void softmax(float* s, int n) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, s[blockIdx.x * n + threadIdx.x]);
  __syncthreads();
  s[blockIdx.x * n + threadIdx.x] /= sum;
}

struct Heads {
  float *q, *k, *v, *s, *out, *scratch;
  int count, size;

  // The heads of an attention layer, of which none works on what another one does.
  void backward(int steps) {
    for (int t = 0; t < steps; ++t) {
      for (int h = 0; h < count; ++h) {  // expect-high [per-tensor-loop]
        const int part = h * size;
        const int square = h * size * size;
        scores<<<1, 32>>>(q + part, k + part, s + square, size);
        softmax<<<size, size>>>(s + square, size);
        scores<<<1, 32>>>(s + square, v + part, out + part, size);
        softmax<<<size, size>>>(out + part, size);
        scores<<<1, 32>>>(out + part, v + part, q + part, size);
        softmax<<<size, size>>>(q + part, size);
      }
    }
  }

  // All share the scratch memory, which would have to be made for each.
  void with_scratch(int steps) {
    for (int t = 0; t < steps; ++t) {
      for (int h = 0; h < count; ++h) {
        const int part = h * size;
        scores<<<1, 32>>>(q + part, k + part, scratch, size);
        softmax<<<size, size>>>(scratch, size);
        scores<<<1, 32>>>(scratch, v + part, out + part, size);
        softmax<<<size, size>>>(out + part, size);
        scores<<<1, 32>>>(out + part, v + part, q + part, size);
        softmax<<<size, size>>>(q + part, size);
      }
    }
  }

  // A layer works on what the layer before wrote.
  void layers(int steps) {
    for (int t = 0; t < steps; ++t) {
      for (int l = 0; l < count; ++l) {
        const int next = l + 1;
        scores<<<1, 32>>>(q + l * size, k + l * size, s + l * size, size);
        softmax<<<size, size>>>(s + l * size, size);
        scores<<<1, 32>>>(s + l * size, v + l * size, out + l * size, size);
        softmax<<<size, size>>>(out + l * size, size);
        scores<<<1, 32>>>(out + l * size, v + l * size, q + next * size, size);
        softmax<<<size, size>>>(q + next * size, size);
      }
    }
  }

  // The first part is read for every other one.
  void from_first(int steps) {
    for (int t = 0; t < steps; ++t) {
      for (int h = 0; h < count; ++h) {
        const int part = h * size;
        scores<<<1, 32>>>(q + part, k + part, s + part, size);
        softmax<<<size, size>>>(s + part, size);
        scores<<<1, 32>>>(s, v + part, out + part, size);
        softmax<<<size, size>>>(out + part, size);
        scores<<<1, 32>>>(out + part, v + part, q + part, size);
        softmax<<<size, size>>>(q + part, size);
      }
    }
  }
};
