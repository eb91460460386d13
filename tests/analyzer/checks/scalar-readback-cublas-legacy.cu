// cuBLAS before handles, as cublas.h declares it: these routines return their number, and wait for it.
#include <cuda_runtime.h>

extern "C" float cublasSnrm2(int n, const float* x, int incx);
extern "C" float cublasSdot(int n, const float* x, int incx, const float* y, int incy);
extern "C" void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy);

__global__ void k(float* x, int n);

void solve(float* x, float* y, int n, int steps) {
  const float before = cublasSnrm2(n, x, 1);
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(x, n);
    float alpha = cublasSdot(n, x, 1, y, 1);  // expect-high {{returns its result to the host}} [scalar-readback]
    cublasSaxpy(n, alpha / before, x, 1, y, 1);
  }
}

// The program looks at the number: the same, told as a branch.
int converge(float* x, int n) {
  int steps = 0;
  while (true) {
    k<<<4, 256>>>(x, n);
    ++steps;
    if (cublasSnrm2(n, x, 1) < 1e-3f) break;  // expect-low [branch-on-device]
  }
  return steps;
}

// The same name with a handle, as where the header that renames it is missing: the number goes where the handle's mode
// says.
typedef struct cublasContext* cublasHandle_t;
extern "C" int cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result);
extern "C" int cublasSetPointerMode_v2(cublasHandle_t handle, int mode);

void on_the_device(cublasHandle_t handle, float* x, int n, float* result, int steps) {
  cublasSetPointerMode_v2(handle, 1);
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(x, n);
    cublasSasum(handle, n, x, 1, result);
  }
}

void on_the_host(cublasHandle_t handle, float* x, int n, int steps) {
  float result = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(x, n);
    cublasSasum(handle, n, x, 1, &result);  // expect-high {{cublasSasum}} [scalar-readback]
  }
}
