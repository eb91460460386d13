// The pointer mode is one handle's, from where it is set to where it is set again.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// Two handles: one leaves its results on the device, the other does not.
void two_handles(cublasHandle_t quiet, cublasHandle_t loud, float* x, float* result, int n, int steps) {
  cublasSetPointerMode(quiet, CUBLAS_POINTER_MODE_DEVICE);
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cublasSnrm2(quiet, n, x, 1, result);
    cublasSnrm2(loud, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// Set for one call and put back.
void put_back(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSnrm2(handle, n, x, 1, result);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// Saved and put back by a helper: the caller's mode is as it was.
void on_device(cublasHandle_t handle, float* x, float* result, int n) {
  cublasPointerMode_t before;
  cublasGetPointerMode(handle, &before);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSasum(handle, n, x, 1, result);
  cublasSetPointerMode(handle, before);
}
void saved(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    on_device(handle, x, result, n);
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// An initialiser sets it for the object's life.
class Solver {
 public:
  void init() {
    cublasCreate(&blas_);
    use_device_results(blas_);
  }
  void run(float* x, float* result, int n, int steps) {
    for (int i = 0; i < steps; ++i) {
      k<<<1, 256>>>(x, n);
      norm(x, result, n);
    }
  }

 private:
  static void use_device_results(cublasHandle_t handle) { cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE); }
  void norm(float* x, float* result, int n) { cublasSnrm2(blas_, n, x, 1, result); }
  cublasHandle_t blas_;
};

// Another class's handle has the mode that it was made with.
class Plain {
 public:
  float run(float* x, int n, int steps) {
    float total = 0;
    for (int i = 0; i < steps; ++i) {
      k<<<1, 256>>>(x, n);
      float norm;
      cublasSnrm2(handle_, n, x, 1, &norm);  // expect-high [scalar-readback]
      total += norm;
    }
    return total;
  }

 private:
  cublasHandle_t handle_;
};

// The caller sets it before the loop that calls.
void step(cublasHandle_t given, float* x, float* result, int n) {
  k<<<1, 256>>>(x, n);
  cublasSnrm2(given, n, x, 1, result);
}
void caller_sets(float* x, float* result, int n, int steps) {
  cublasHandle_t own;
  cublasCreate(&own);
  cublasSetPointerMode(own, CUBLAS_POINTER_MODE_DEVICE);
  for (int i = 0; i < steps; ++i) step(own, x, result, n);
}
