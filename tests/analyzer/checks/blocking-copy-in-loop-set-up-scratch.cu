// Before the training, a loop gives each parameter its first content and a buffer of its own, which it leaves. After
// it, such a loop that frees its buffer is a step like any other.
#include <cuda_runtime.h>

#include <random>
#include <vector>

struct Parameter {
  float* data;
  size_t n;
};

__global__ void sgd(float* weights, const float* gradient, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) weights[i] -= .01f * gradient[i];
}

__global__ void fill(float* x, float value, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  std::vector<Parameter> parameters(4);
  std::mt19937 engine(1);
  std::normal_distribution<float> normal(0, .02f);
  for (auto& p : parameters) {
    p.n = 1 << 20;
    cudaMalloc(&p.data, p.n * 4);
    std::vector<float> host(p.n);
    for (auto& value : host) value = normal(engine);
    cudaMemcpy(p.data, host.data(), p.n * 4, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop]
    float* gradient;
    cudaMalloc(&gradient, p.n * 4);  // expect-low [alloc-in-loop]
    fill<<<1024, 256>>>(gradient, 0, p.n);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  for (int step = 0; step < 10000; ++step)
    sgd<<<4096, 256>>>(parameters[0].data, parameters[1].data, parameters[0].n);
  cudaDeviceSynchronize();
}
