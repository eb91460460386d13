// Loops that do the same work again to time it, and loops over a few variants, are no training steps.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + x[n - 1 - i];
}
__global__ void update(float* w, const float* g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= 0.1f * g[i];
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char** argv) {
  const int n = 1 << 20, repeats = argc > 1 ? 100 : 1000;
  float *x, *w, *out, host[64], *batch = new float[n];
  cudaMalloc(&x, n * 4);
  cudaMalloc(&w, n * 4);
  cudaMalloc(&out, n * 4);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float ms = 0;

  cudaEventRecord(begin);
  for (int k = 0; k < repeats; ++k) {
    sum<<<4096, 256>>>(x, out, n);
    cudaMemcpy(host, out, n * 4, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop], expect-low [pageable-copy-in-loop]
  }
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);
  std::printf("%f ms each\n", ms / repeats);

  // Each iteration goes on from the last one's weights: that is training, timed or not.
  double start = seconds();
  for (int k = 0; k < repeats; ++k) {
    sum<<<4096, 256>>>(x, out, n);  // expect-high [unfused-elementwise-chain]
    update<<<4096, 256>>>(w, out, n);
    cudaMemcpy(host, w, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop], expect-high [pageable-copy-in-loop]
  }
  std::printf("%f s each\n", (seconds() - start) / repeats);

  // The host prepares other data for each iteration: no timing, though an evaluation beside the loop that updates.
  start = seconds();
  for (int k = 0; k < repeats; ++k) {
    std::memset(batch, k, n * 4);
    cudaMemcpy(x, batch, n * 4, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop], expect-low [pageable-copy-in-loop]
    sum<<<4096, 256>>>(x, out, n);
  }
  std::printf("%f s each\n", (seconds() - start) / repeats);

  // Nothing is timed; an evaluation again.
  for (int k = 0; k < repeats; ++k) {
    sum<<<4096, 256>>>(x, out, n);
    cudaMemcpy(host, out, n * 4, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop], expect-low [pageable-copy-in-loop]
  }

  // A warm-up of ten rounds, and seven sizes.
  for (int k = 0; k < 10; ++k) {
    sum<<<4096, 256>>>(x, out, n);
    cudaMemcpy(host, out, n * 4, cudaMemcpyDeviceToHost);
  }
  int k;
  for (k = 1; k <= 7; k++) {
    sum<<<4096, 256>>>(x, out, n / k);
    cudaMemcpy(host, out, n / k * 4, cudaMemcpyDeviceToHost);
  }
  // Ten epochs over all data at once.
  for (int epoch = 0; epoch < 10; ++epoch) {
    sum<<<4096, 256>>>(x, out, n);  // expect-high [unfused-elementwise-chain]
    update<<<4096, 256>>>(w, out, n);
    cudaMemcpy(host, w, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop], expect-high [pageable-copy-in-loop]
  }
}
