// What a missing header would have included of the C and C++ library is known all the same: the map's elements, and
// that malloc() makes pageable memory.
// status: partial
#include <cuda_runtime.h>
#include <everything_of_the_project.h>

__global__ void k(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] += 1;
}
struct Net {
  std::map<std::string, float*> weights;
  void step() {
    for (auto& [name, w] : weights) k<<<4, 256>>>(w, 1024);  // expect-high [per-tensor-loop]
    cudaDeviceSynchronize();                                  // expect-high [sync-in-loop]
  }
};

int main() {
  Net net;
  float* host = (float*)malloc(1 << 20);
  float* w;
  cudaMalloc(&w, 1 << 20);
  net.weights["a"] = w;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 1000; ++i) {
    cudaMemcpyAsync(w, host, 1 << 20, cudaMemcpyHostToDevice, stream);  // expect-high [pageable-async-copy]
    net.step();
  }
}
