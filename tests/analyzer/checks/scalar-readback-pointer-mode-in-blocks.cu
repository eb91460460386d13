// Of two settings in one block the second is what it leaves, also where nobody knows whether the block runs.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// Put back in the loop that sets it.
struct Solver {
  cublasHandle_t handle;
  float *x, *result;
  int n;
  void solve() {
    for (int i = 0; i < n; ++i) {
      cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
      cublasSnrm2(handle, n, x, 1, result);
      cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    }
  }
  float norm() {
    float norm;
    cublasSnrm2(handle, n, x, 1, &norm);
    return norm;
  }
};
void step(Solver& solver, float& sum, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(solver.x, solver.n);
    sum += solver.norm();  // expect-high [scalar-readback]
    solver.solve();
  }
}

// The call stands before the two, and after them in the next iteration.
void turns(float* x, float* result, int n, int steps) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    float norm;
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSnrm2(handle, n, x, 1, result);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  }
}

// Behind a branch that puts it back, and behind one that does not.
void branches(cublasHandle_t one, cublasHandle_t other, float* x, float* result, int n, int steps, bool careful) {
  cublasSetPointerMode(one, CUBLAS_POINTER_MODE_HOST);
  cublasSetPointerMode(other, CUBLAS_POINTER_MODE_HOST);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (careful) {
      cublasSetPointerMode(one, CUBLAS_POINTER_MODE_DEVICE);
      cublasSetPointerMode(other, CUBLAS_POINTER_MODE_DEVICE);
      cublasSnrm2(one, n, x, 1, result);
      cublasSetPointerMode(one, CUBLAS_POINTER_MODE_HOST);
    }
    float norm;
    cublasSnrm2(one, n, x, 1, &norm);  // expect-high [scalar-readback]
    cublasSnrm2(other, n, x, 1, result);
  }
}

// Set to the host before the call in each iteration, whatever the last one left.
void anew(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    float norm;
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSnrm2(handle, n, x, 1, result);
  }
}

// Left on the device by the last of its settings in a loop.
void stays(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cublasSnrm2(handle, n, x, 1, result);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  }
}
