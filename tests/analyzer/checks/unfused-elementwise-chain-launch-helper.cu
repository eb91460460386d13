// flags: -std=c++17
// Kernels that a helper launches, behind a table with functions for the host and for the GPU.
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

cudaStream_t stream() {
  static const cudaStream_t made = [] {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    return stream;
  }();
  return made;
}
template <typename Kernel, typename... Args>
void launch(Kernel kernel, size_t n, Args... args) {
  const int threads = 256;
  kernel<<<(n + threads - 1) / threads, threads, 0, stream()>>>(n, args...);
}

// A helper that waits is more than a launch.
void check() { cudaDeviceSynchronize(); }
template <typename Kernel, typename... Args>
void launch_and_check(Kernel kernel, size_t n, Args... args) {
  kernel<<<(n + 255) / 256, 256>>>(n, args...);
  check();  // expect-high [sync-in-loop]
}

__global__ void scale_kernel(size_t n, float* to, const float* from, float by) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * by;
}
__global__ void square_kernel(size_t n, float* to, const float* from) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * from[i];
}
__global__ void add_kernel(size_t n, float* to, const float* a, const float* b) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + b[i];
}

namespace gpu {
inline void scale(size_t n, float* to, const float* from, float by) { launch(scale_kernel, n, to, from, by); }
inline void square(size_t n, float* to, const float* from) { launch(square_kernel, n, to, from); }
inline void add(size_t n, float* to, const float* a, const float* b) { launch(add_kernel, n, to, a, b); }
}  // namespace gpu
namespace host {
inline void scale(size_t n, float* to, const float* from, float by) {
  for (size_t i = 0; i < n; ++i) to[i] = from[i] * by;
}
inline void square(size_t n, float* to, const float* from) {
  for (size_t i = 0; i < n; ++i) to[i] = from[i] * from[i];
}
inline void add(size_t n, float* to, const float* a, const float* b) {
  for (size_t i = 0; i < n; ++i) to[i] = a[i] + b[i];
}
}  // namespace host

struct Backend {
  void (*scale)(size_t, float*, const float*, float);
  void (*square)(size_t, float*, const float*);
  void (*add)(size_t, float*, const float*, const float*);
};
Backend make_host() {
  Backend b;
  b.scale = host::scale;
  b.square = host::square;
  b.add = host::add;
  return b;
}
Backend make_gpu() {
  Backend b;
  b.scale = gpu::scale;
  b.square = gpu::square;
  b.add = gpu::add;
  return b;
}
const Backend& backend(bool on_gpu) {
  static const Backend of_gpu = make_gpu(), of_host = make_host();
  return on_gpu ? of_gpu : of_host;
}

struct Parameter {
  float *data, *grad, *moment;
  size_t size;
};

void step(std::vector<Parameter>& parameters, float* scratch, bool on_gpu) {
  for (auto& p : parameters) {  // expect-high [per-tensor-loop]
    const Backend& k = backend(on_gpu);
    k.scale(p.size, p.moment, p.moment, 0.9f);  // expect-high [unfused-elementwise-chain]
    k.scale(p.size, scratch, p.grad, 0.1f);
    k.add(p.size, p.moment, p.moment, scratch);
  }
}

void normalise(float* x, float* y, size_t n, bool on_gpu) {
  const Backend& k = backend(on_gpu);
  k.square(n, y, x);  // expect-high [unfused-elementwise-chain]
  k.scale(n, y, y, 0.5f);
  k.add(n, x, x, y);
}

int main() {
  std::vector<Parameter> parameters(10);
  float* scratch;
  float *x, *y;
  cudaMalloc(&scratch, 4000);
  cudaMalloc(&x, 4000);
  cudaMalloc(&y, 4000);
  for (int s = 0; s < 1000; ++s) {
    launch_and_check(square_kernel, 1000, y, x);
    normalise(x, y, 1000, true);
    step(parameters, scratch, true);
  }
}
