// A benchmark of several sizes or kernels: each iteration warms up, repeats its work between two times and checks it.
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

template <int Block>
bool trial(const float* x, float* y, std::vector<float>& out) {
  const int n = static_cast<int>(out.size());
  for (int i = 0; i < 3; ++i) copy<<<(n + Block - 1) / Block, Block>>>(x, y, n);
  cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) copy<<<(n + Block - 1) / Block, Block>>>(x, y, n);
  cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  auto end = std::chrono::steady_clock::now();
  cudaMemcpy(out.data(), y, n * 4, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
  std::printf("%g us\n", std::chrono::duration<double, std::micro>(end - begin).count() / 200);
  return out[0] == 1;
}

int main() {
  bool good = true;
  float *x, *y;
  cudaMalloc(&x, 1 << 26);
  cudaMalloc(&y, 1 << 26);
  for (int n : {1 << 10, 1 << 16, 1 << 20, 1 << 24}) {
    std::vector<float> out(n);
    good &= trial<64>(x, y, out);
    good &= trial<256>(x, y, out);
  }
  return good ? 0 : 1;
}
