// Kernels that are launched through functions, as C code does: what a function is given is what its kernel is given.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

#define BLOCK 512

static void check_error(cudaError_t status) {
  if (status != cudaSuccess) {
    printf("CUDA error: %s\n", cudaGetErrorString(status));
    assert(0);
  }
}
dim3 grid_of(size_t n) {
  size_t x = (n - 1) / BLOCK + 1, y = 1;
  if (x > 65535) {
    y = x / 65535 + 1;
    x = 65535;
  }
  dim3 d(x, y, 1);
  return d;
}

__global__ void scal_kernel(int N, float a, float* X, int INCX) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < N) X[i * INCX] *= a;
}
__global__ void fill_kernel(int N, float a, float* X, int INCX) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < N) X[i * INCX] = a;
}
__global__ void axpy_kernel(int N, float a, float* X, int OFFX, int INCX, float* Y, int OFFY, int INCY) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < N) Y[OFFY + i * INCY] += a * X[OFFX + i * INCX];
}
__global__ void copy_kernel(int N, float* X, int OFFX, int INCX, float* Y, int OFFY, int INCY) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < N) Y[i * INCY + OFFY] = X[i * INCX + OFFX];
}
__global__ void mul_kernel(int N, float* X, int INCX, float* Y, int INCY) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < N) Y[i * INCY] *= X[i * INCX];
}
__global__ void adam_kernel(int N, float* x, float* m, float* v, float rate) {
  int index = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (index >= N) return;
  float mhat = m[index];
  x[index] = x[index] + rate * mhat / (sqrtf(v[index]) + 1e-8f);
}
typedef enum { LOGISTIC, RELU, LINEAR } ACTIVATION;
__device__ float logistic(float x) { return 1.f / (1.f + expf(-x)); }
__device__ float activate(float x, ACTIVATION a) {
  switch (a) {
    case LOGISTIC:
      return logistic(x);
    case RELU:
      return x * (x > 0);
    case LINEAR:
      return x;
  }
  return 0;
}
__global__ void activate_kernel(float* x, int n, ACTIVATION a) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i < n) x[i] = activate(x[i], a);
}

void scal_gpu(int N, float a, float* X, int INCX) {
  scal_kernel<<<grid_of(N), BLOCK>>>(N, a, X, INCX);
  check_error(cudaPeekAtLastError());
}
void fill_gpu(int N, float a, float* X, int INCX) {
  fill_kernel<<<grid_of(N), BLOCK>>>(N, a, X, INCX);
  check_error(cudaPeekAtLastError());
}
void axpy_gpu_offset(int N, float a, float* X, int OFFX, int INCX, float* Y, int OFFY, int INCY) {
  axpy_kernel<<<grid_of(N), BLOCK>>>(N, a, X, OFFX, INCX, Y, OFFY, INCY);
  check_error(cudaPeekAtLastError());
}
void axpy_gpu(int N, float a, float* X, int INCX, float* Y, int INCY) {
  axpy_gpu_offset(N, a, X, 0, INCX, Y, 0, INCY);
}
void copy_gpu_offset(int N, float* X, int OFFX, int INCX, float* Y, int OFFY, int INCY) {
  copy_kernel<<<grid_of(N), BLOCK>>>(N, X, OFFX, INCX, Y, OFFY, INCY);
  check_error(cudaPeekAtLastError());
}
void copy_gpu(int N, float* X, int INCX, float* Y, int INCY) { copy_gpu_offset(N, X, 0, INCX, Y, 0, INCY); }
void mul_gpu(int N, float* X, int INCX, float* Y, int INCY) {
  mul_kernel<<<grid_of(N), BLOCK>>>(N, X, INCX, Y, INCY);
  check_error(cudaPeekAtLastError());
}
void adam_gpu(int n, float* x, float* m, float* v, float rate) {
  adam_kernel<<<grid_of(n), BLOCK>>>(n, x, m, v, rate);
  check_error(cudaPeekAtLastError());
}
void activate_array_gpu(float* x, int n, ACTIVATION a) {
  activate_kernel<<<grid_of(n), BLOCK>>>(x, n, a);
  check_error(cudaPeekAtLastError());
}
// Another branch does the same to the same arrays.
void scale_either_way(float* x, int n, bool twice) {
  if (twice)
    scal_gpu(n, 2, x, 1);
  else
    scal_gpu(n, 1, x, 1);
}

struct layer {
  float *output_gpu, *z_gpu, *r_gpu, *state_gpu, *forgot_gpu;
  int outputs, batch, steps;
};

// Every kernel works on arrays that another one has just written.
void adam_update_gpu(float* w, float* d, float* m, float* v, float B1, float B2, float decay, float rate, int n) {
  scal_gpu(n, B1, m, 1);  // expect-high {{8 elementwise kernels in a row}} [unfused-elementwise-chain]
  scal_gpu(n, B2, v, 1);
  axpy_gpu(n, -decay, w, 1, d, 1);

  axpy_gpu(n, (1 - B1), d, 1, m, 1);
  mul_gpu(n, d, 1, d, 1);
  axpy_gpu(n, (1 - B2), d, 1, v, 1);

  adam_gpu(n, w, m, v, rate);
  fill_gpu(n, 0, d, 1);
}

void connected(layer l) {
  float* y = l.output_gpu;
  axpy_gpu(l.outputs, 1, y, 1, l.z_gpu, 1);
}

// Two chains side by side: z, and r up to what it is multiplied into.
void gates(layer l, layer uz, layer wz, layer ur, layer wr) {
  for (int i = 0; i < l.steps; ++i) {
    copy_gpu(l.outputs * l.batch, uz.output_gpu, 1, l.z_gpu, 1);  // expect-high {{3 elementwise kernels in a row ('copy_gpu', 'axpy_gpu', 'activate_array_gpu') go through the same elements of 'l.z_gpu'}} [unfused-elementwise-chain]
    // expect-evidence@-1 [unfused-elementwise-chain] {{'axpy_gpu' launches one kernel}}
    axpy_gpu(l.outputs * l.batch, 1, wz.output_gpu, 1, l.z_gpu, 1);

    copy_gpu(l.batch * l.outputs, ur.output_gpu, 1, l.r_gpu, 1);  // expect-high {{5 elementwise}} [unfused-elementwise-chain]
    axpy_gpu(l.outputs * l.batch, 1, wr.output_gpu, 1, l.r_gpu, 1);

    activate_array_gpu(l.z_gpu, l.outputs * l.batch, LOGISTIC);
    activate_array_gpu(l.r_gpu, l.outputs * l.batch, LOGISTIC);

    copy_gpu(l.outputs * l.batch, l.state_gpu, 1, l.forgot_gpu, 1);
    mul_gpu(l.outputs * l.batch, l.r_gpu, 1, l.forgot_gpu, 1);
    connected(l);
    l.output_gpu += l.outputs * l.batch;
  }
}

// Every second element, and from an offset on: the same elements only where the arguments say so.
void strides(float* x, float* y, int n) {
  axpy_gpu_offset(n, 1, x, 0, 1, y, 8, 2);  // expect-high [unfused-elementwise-chain]
  copy_gpu_offset(n, y, 8, 2, x, 0, 1);
  copy_gpu_offset(n, x, 4, 1, y, 0, 1);
  scal_gpu(n, 2, y, 2);
}

void either_way(float* x, int n, bool twice) {
  scale_either_way(x, n, twice);  // expect-high [unfused-elementwise-chain]
  scal_gpu(n, 2, x, 1);
}

int main() {
  layer l{};
  float *w = nullptr, *d = nullptr, *m = nullptr, *v = nullptr;
  for (int step = 0; step < 1000; ++step) {
    gates(l, l, l, l, l);
    adam_update_gpu(w, d, m, v, 0.9f, 0.99f, 0.1f, 0.1f, 4096);
    strides(w, d, 1024);
    either_way(w, 1024, step % 2);
  }
}
