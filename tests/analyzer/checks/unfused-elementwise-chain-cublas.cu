// unfused-elementwise-chain: cuBLAS' vector functions launch one elementwise kernel each.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void times_matrix(const double* a, const double* x, double* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i * n + row] * x[i];
  y[row] = sum;
}

// d = beta d - g in two kernels. The axpy calls before work on other vectors each.
void conjugate_gradient(cublasHandle_t handle, const double* a, double* x, double* d, double* g, double* ad, int n) {
  const double none = -1.0;
  for (int i = 0; i < 1000; ++i) {
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    double ak = 0.5 / (i + 1), beta;
    cublasDaxpy_v2(handle, n, &ak, d, 1, x, 1);
    cublasDaxpy_v2(handle, n, &ak, ad, 1, g, 1);
    cublasDdot_v2(handle, n, g, 1, g, 1, &beta);  // expect-high [scalar-readback]
    cublasDscal_v2(handle, n, &beta, d, 1);  // expect-high {{2 elementwise kernels in a row ('cublasDscal_v2', 'cublasDaxpy_v2') go through the same elements of 'd', in every iteration of a loop that launches GPU work: 5 passes over memory where one kernel needs at most 3}} [unfused-elementwise-chain]
    cublasDaxpy_v2(handle, n, &none, g, 1, d, 1);
  }
}

// A kernel between them reads d; other lengths, strides and handles are other elements.
void no_chains(cublasHandle_t handle, cublasHandle_t other, const double* a, double* d, double* g, double* ad, int n) {
  const double one = 1.0;
  for (int i = 0; i < 1000; ++i) {
    cublasDscal_v2(handle, n, &one, d, 1);
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    cublasDaxpy_v2(handle, n, &one, ad, 1, d, 1);
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    cublasDscal_v2(handle, n / 2, &one, d, 1);
    cublasDaxpy_v2(handle, n, &one, ad, 1, d, 1);
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    cublasDscal_v2(handle, n / 2, &one, d, 2);
    cublasDaxpy_v2(handle, n / 2, &one, ad, 1, d, 1);
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    cublasDscal_v2(other, n, &one, d, 1);
    cublasDaxpy_v2(handle, n, &one, ad, 1, d, 1);
  }
}

// The label behind the loop leads to none of the two. The one between them does.
void cleans_up(cublasHandle_t handle, const double* a, double* d, double* g, double* ad, int n) {
  const double one = 1.0;
  for (int i = 0; i < 1000; ++i) {
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    if (cudaGetLastError() != cudaSuccess) goto ends;
    cublasDscal_v2(handle, n, &one, d, 1);  // expect-high [unfused-elementwise-chain]
    cublasDaxpy_v2(handle, n, &one, ad, 1, d, 1);
    if (i % 3 == 0) goto adds;
    times_matrix<<<(n + 255) / 256, 256>>>(a, d, ad, n);
    cublasDscal_v2(handle, n, &one, d, 1);
  adds:
    cublasDaxpy_v2(handle, n, &one, ad, 1, d, 1);
  }
ends:
  cudaFree(ad);
}
