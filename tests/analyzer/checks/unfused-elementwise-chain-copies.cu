// Copies within device memory, cuBLAS' vector functions and the program's own kernels go through the same elements.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void clamp(double* x, const double* low, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < low[i]) x[i] = low[i];
}

__global__ void shuffle(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[(i * 3L) % n] = x[(i * 7L) % n];
}

void apart(double* x, double* y, int n) { shuffle<<<(n + 255) / 256, 256>>>(x, y, n); }

int main(int argc, char**) {
  const int n = argc * 100000;
  double *x, *next, *low, *y;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMalloc(&low, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cublasHandle_t handle;
  cublasCreate(&handle);
  const double step = -0.1;
  for (int i = 0; i < 100000; ++i) {
    apart(x, y, n);
    cudaMemcpy(next, x, n * sizeof(double), cudaMemcpyDeviceToDevice);  // expect-high {{3 elementwise kernels and copies in a row ('cudaMemcpy', 'cublasDaxpy', 'clamp') go through the same elements of 'next'}} [unfused-elementwise-chain]
    cublasDaxpy(handle, n, &step, y, 1, next, 1);
    clamp<<<(n + 255) / 256, 256>>>(next, low, n);
    apart(next, y, n);
    cublasDcopy(handle, n, next, 1, x, 1);  // expect-high {{2 elementwise kernels in a row ('cublasDcopy', 'cublasDscal')}} [unfused-elementwise-chain]
    cublasDscal(handle, n, &step, x, 1);
    apart(x, y, n);
    // A copy and one kernel; a copy of half of the elements; a copy that overwrites what it is told of.
    cudaMemcpy(next, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cublasDscal(handle, n, &step, next, 1);
    apart(next, y, n);
    cublasDscal(handle, n, &step, x, 1);
    cudaMemcpy(next, x, n / 2 * sizeof(double), cudaMemcpyDeviceToDevice);
    clamp<<<(n + 255) / 256, 256>>>(next, low, n);
    apart(next, x, n);
  }
}
