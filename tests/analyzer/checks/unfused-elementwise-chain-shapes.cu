// Templates, two dimensions, vectors of four, unrolled loops, macros, functors: all of them elementwise.
#include <cuda_runtime.h>

#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

template <typename T>
__global__ void add_scalar(const int n, const T alpha, T* y) {
  KERNEL_LOOP(index, n) { y[index] += alpha; }
}
template <typename T>
__global__ void powx(const int n, const T* a, const T alpha, T* y) {
  KERNEL_LOOP(index, n) { y[index] = pow(a[index], alpha); }
}
template <class F>
__global__ void map_kernel(float* out, const float* in, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}
struct Twice {
  float by;
  __device__ float operator()(float x) const { return by * x; }
};
__global__ void rows_and_columns(float* x, const float* scale, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) x[row * cols + col] *= scale[row];
}
__global__ void by_fours(float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  float4 v = reinterpret_cast<float4*>(x)[i];
  const float4 w = reinterpret_cast<const float4*>(y)[i];
  v.x += w.x;
  v.y += w.y;
  v.z += w.z;
  v.w += w.w;
  reinterpret_cast<float4*>(x)[i] = v;
}
__global__ void unrolled(float* x, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first >= n) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) x[first + k] = tanhf(x[first + k]);
}
__device__ int own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void halve(float* x, int i) { x[i] *= 0.5f; }
__global__ void by_helper(float* x, int n) {
  const int i = own_index();
  if (i < n) halve(x, i);
}
__global__ void by_while(const float* __restrict__ x, float* y, int n) {
  const int stride = gridDim.x * blockDim.x;
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  while (i < n) {
    y[i] = __ldg(&x[i]) + __ldg(x + i);
    i += stride;
  }
}
__global__ void by_turns(float* x, float by, int n) {
  for (int turn = 0;; ++turn) {
    const int i = (turn * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] *= by;
  }
}
struct Shape {
  int rows, cols, total;
};
__global__ void by_turns_of_the_block(float* x, Shape shape) {
  for (auto turn = 1;; turn++) {
    const auto i = ((blockIdx.x + 1) * turn - 1) * blockDim.x + threadIdx.x;
    if (i >= shape.total) return;
    x[i] = tanhf(x[i]);
  }
}

void templates(float* variance, int n, float eps) {
  add_scalar<float><<<(n + 511) / 512, 512>>>(n, eps, variance);  // expect-high [unfused-elementwise-chain]
  powx<float><<<(n + 511) / 512, 512>>>(n, variance, 0.5f, variance);
}
void functors(float* x, float* y, int n) {
  map_kernel<<<(n + 255) / 256, 256>>>(y, x, n, Twice{2});  // expect-high [unfused-elementwise-chain]
  map_kernel<<<(n + 255) / 256, 256>>>(x, y, n, Twice{3});
}
void dimensions(float* x, float* scale, int rows, int cols, cudaStream_t stream) {
  dim3 block(32, 8), grid((cols + 31) / 32, (rows + 7) / 8);
  rows_and_columns<<<grid, block, 0, stream>>>(x, scale, rows, cols);  // expect-high [unfused-elementwise-chain]
  rows_and_columns<<<grid, block, 0, stream>>>(x, scale, rows, cols);
}
void vectors(float* x, float* y, int n) {
  by_fours<<<n / 1024, 256>>>(x, y, n);  // expect-high [unfused-elementwise-chain]
  by_fours<<<n / 1024, 256>>>(x, y, n);
}
void blocks_of_four(float* x, int n) {
  unrolled<<<n / 1024, 256>>>(x, n);  // expect-high [unfused-elementwise-chain]
  unrolled<<<n / 1024, 256>>>(x, n);
}
void helpers(float* x, float* y, int n) {
  by_helper<<<n / 256, 256>>>(x, n);  // expect-high [unfused-elementwise-chain]
  by_while<<<n / 256, 256>>>(x, y, n);
}

void turns(float* x, int n) {
  by_turns<<<160, 256>>>(x, 2, n);  // expect-high [unfused-elementwise-chain]
  by_turns<<<160, 256>>>(x, 3, n);
}
void turns_of_the_block(float* x, Shape shape) {
  by_turns_of_the_block<<<160, 256>>>(x, shape);  // expect-high [unfused-elementwise-chain]
  by_turns_of_the_block<<<160, 256>>>(x, shape);
}

// A layer's forward behind a virtual call.
struct Module {
  virtual ~Module() = default;
  virtual void forward(float* x, int n) = 0;
};
struct Activation : Module {
  void forward(float* x, int n) override {
    by_helper<<<n / 256, 256>>>(x, n);  // expect-high [unfused-elementwise-chain]
    add_scalar<float><<<n / 256, 256>>>(n, 1, x);
  }
};

int main() {
  float *x = nullptr, *y = nullptr;
  Module* layer = new Activation;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int step = 0; step < 1000; ++step) {
    templates(x, 1024, 1e-5f);
    functors(x, y, 1024);
    dimensions(x, y, 64, 64, stream);
    vectors(x, y, 1024);
    blocks_of_four(x, 1024);
    helpers(x, y, 1024);
    turns(x, 1024);
    turns_of_the_block(x, {32, 32, 1024});
    layer->forward(x, 1024);
  }
}
