// An optimizer over its parameters, as many small kernels each, and gradients that a method of each tensor clears.
#include <cuda_runtime.h>

#include <vector>

__global__ void scale_kernel(float* to, const float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = by * x[i];
}
__global__ void multiply_kernel(float* to, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = x[i] * y[i];
}
__global__ void add_kernel(float* to, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = x[i] + y[i];
}
__global__ void root_kernel(float* to, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = sqrtf(x[i]) + 1e-8f;
}
__global__ void divide_kernel(float* to, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = x[i] / y[i];
}
__global__ void forward_kernel(float* x, int n);

void scale(float* to, const float* x, float by, int n) { scale_kernel<<<(n + 255) / 256, 256>>>(to, x, by, n); }
void multiply(float* to, const float* x, const float* y, int n) {
  multiply_kernel<<<(n + 255) / 256, 256>>>(to, x, y, n);
}
void add(float* to, const float* x, const float* y, int n) { add_kernel<<<(n + 255) / 256, 256>>>(to, x, y, n); }
void root(float* to, const float* x, int n) { root_kernel<<<(n + 255) / 256, 256>>>(to, x, n); }
void divide(float* to, const float* x, const float* y, int n) { divide_kernel<<<(n + 255) / 256, 256>>>(to, x, y, n); }

struct Parameter {
  float *w, *g, *m, *v, *t;
  int n;
  bool on_gpu;
  void zero_grad() {
    if (!on_gpu) return;
    cudaMemset(g, 0, n * sizeof(float));
  }
  void upload(const std::vector<float>& from) {
    cudaMemset(g, 0, n * sizeof(float));
    cudaMemcpy(w, from.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  }
};

struct Adam {
  std::vector<Parameter> parameters;
  void zero_grad() {
    for (auto& p : parameters) p.zero_grad();  // expect-high {{launches a memset for each element}} [per-tensor-loop]
  }
  void step() {
    for (auto& p : parameters) {  // expect-high [per-tensor-loop]
      scale(p.m, p.m, 0.9f, p.n);  // expect-high [unfused-elementwise-chain]
      scale(p.t, p.g, 0.1f, p.n);
      add(p.m, p.m, p.t, p.n);
      scale(p.v, p.v, 0.99f, p.n);  // expect-high [unfused-elementwise-chain]
      multiply(p.t, p.g, p.g, p.n);
      scale(p.t, p.t, 0.01f, p.n);
      add(p.v, p.v, p.t, p.n);
      scale(p.t, p.v, 2, p.n);
      root(p.t, p.t, p.n);
      divide(p.t, p.m, p.t, p.n);
      scale(p.t, p.t, 1.1f, p.n);
      scale(p.t, p.t, -0.1f, p.n);
      add(p.w, p.w, p.t, p.n);
    }
  }
};

int main() {
  Adam adam;
  std::vector<float> start(1024);
  for (auto& p : adam.parameters) p.upload(start);
  float* x = nullptr;
  for (int step = 0; step < 1000; ++step) {
    adam.zero_grad();
    forward_kernel<<<4, 256>>>(x, 1024);
    adam.step();
  }
}
