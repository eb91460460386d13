// No chain: other extents, other streams, somebody else reads or waits in between, or a kernel that is not elementwise.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void relu(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fmaxf(0.0f, x[i]);
}
__global__ void scale(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
__global__ void neighbours(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i + 1];
}
__global__ void gather(const float* x, const int* index, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}
__global__ void strided(float* x, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i * stride] *= 2;
}
__global__ void block_sum(float* x, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) x[i] -= part[0];
}
__global__ void warp_mean(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] -= __shfl_sync(~0u, x[i], 0);
}
__global__ void histogram(const float* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[static_cast<int>(x[i])], 1);
}
__global__ void unrolled_dot(const float* x, const float* w, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[i * 16 + k] * w[k];  // expect-high [strided-by-thread]
  if (i < n) y[i] = sum;
}
__global__ void column_sums(const float* x, float* y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < rows; ++r) y[i] += x[r * n + i];
}
__global__ void partial_sums(const float* x, float* sums, int n) {
  const int own = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = own; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sums[own] = sum;
}
__global__ void partial_sums_by_turns(const float* x, float* sums, int n, int turns) {
  const int own = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn) sum += x[turn * gridDim.x * blockDim.x + own];
  sums[own] = sum;
}

void other_extent(float* x, int n, int m) {
  relu<<<n / 256, 256>>>(x, n);
  relu<<<m / 256, 256>>>(x, m);
}
void other_stream(float* x, int n, cudaStream_t a, cudaStream_t b) {
  relu<<<n / 256, 256, 0, a>>>(x, n);
  relu<<<n / 256, 256, 0, b>>>(x, n);
}
void other_stride(float* x, int n) {
  strided<<<n / 256, 256>>>(x, n, 1);
  strided<<<n / 256, 256>>>(x, n, 2);
}
struct Layer {
  float *x, *y;
};
void other_object(Layer a, Layer b, int n) {
  scale<<<n / 256, 256>>>(a.x, a.y, 2, n);
  scale<<<n / 256, 256>>>(b.y, b.x, 2, n);
}
void moved_pointer(float* x, float* y, int n) {
  scale<<<n / 256, 256>>>(x, y, 2, n);
  y += n;
  relu<<<n / 256, 256>>>(y, n);
}
void copied_out(float* x, float* y, int n) {
  relu<<<n / 256, 256>>>(x, n);
  cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
  relu<<<n / 256, 256>>>(x, n);
}
void multiplied(cublasHandle_t handle, float* x, float* w, float* y, int n) {
  const float one = 1, zero = 0;
  relu<<<n / 256, 256>>>(x, n);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, w, n, &zero, y, n);
  relu<<<n / 256, 256>>>(x, n);
}
// The host looks at what the first kernel has written.
float waits(float* x, int n) {
  static float* managed = nullptr;
  if (!managed) cudaMallocManaged(&managed, 4 * n);
  relu<<<n / 256, 256>>>(managed, n);
  cudaDeviceSynchronize();
  const float first = managed[0];
  relu<<<n / 256, 256>>>(managed, n);
  return first;
}
void somebody(float* x);
void unknown(float* x, int n) {
  relu<<<n / 256, 256>>>(x, n);
  somebody(x);
  relu<<<n / 256, 256>>>(x, n);
}
void reads_others(float* x, float* y, const int* index, int n) {
  relu<<<n / 256, 256>>>(x, n);
  neighbours<<<n / 256, 256>>>(x, y, n);
  gather<<<n / 256, 256>>>(y, index, x, n);
}
void no_elementwise_kernels(float* x, float* y, float* w, int* bins, int n) {
  relu<<<n / 256, 256>>>(x, n);
  block_sum<<<n / 256, 256>>>(x, n);
  relu<<<n / 256, 256>>>(x, n);
  warp_mean<<<n / 256, 256>>>(x, n);
  relu<<<n / 256, 256>>>(x, n);
  histogram<<<n / 256, 256>>>(x, bins, n);
  relu<<<n / 256, 256>>>(x, n);
  unrolled_dot<<<n / 256, 256>>>(x, w, y, n);
  relu<<<n / 256, 256>>>(x, n);
  column_sums<<<n / 256, 256>>>(x, y, 8, n);
  relu<<<n / 256, 256>>>(x, n);
  partial_sums<<<n / 256, 256>>>(x, y, n);
  relu<<<n / 256, 256>>>(y, n);
  partial_sums_by_turns<<<n / 256, 256>>>(x, y, n, 8);
  relu<<<n / 256, 256>>>(y, n);
}
void one_of_two(float* x, int n, bool first) {
  if (first)
    relu<<<n / 256, 256>>>(x, n);
  else
    strided<<<n / 256, 256>>>(x, n, 1);
}
// Of a switch's cases one runs.
void one_of_three(float* x, int n, int which) {
  switch (which) {
    case 0:
      relu<<<n / 256, 256>>>(x, n);
      break;
    case 1:
      scale<<<n / 256, 256>>>(x, x, 2, n);
      break;
    default:
      relu<<<n / 256, 256>>>(x, n);
  }
}

void separate(float* x, float* y, int n) {
  relu<<<n / 256, 256>>>(x, n);
  relu<<<n / 256, 256>>>(y, n);
}

int main() {
  float *x = nullptr, *y = nullptr, *w = nullptr;
  int* index = nullptr;
  cublasHandle_t handle = nullptr;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaMalloc(&x, 4096);
  for (int step = 0; step < 1000; ++step) {
    other_extent(x, 1024, 512);
    other_stream(x, 1024, a, b);
    other_stride(x, 1024);
    other_object({x, y}, {w, y}, 1024);
    moved_pointer(x, y, 512);
    copied_out(x, y, 1024);
    multiplied(handle, x, w, y, 32);
    waits(x, 1024);
    unknown(x, 1024);
    reads_others(x, y, index, 1024);
    no_elementwise_kernels(x, y, w, index, 1024);
    one_of_two(x, 1024, step % 2);
    one_of_three(x, 1024, step);
    separate(x, y, 1024);
  }
}
