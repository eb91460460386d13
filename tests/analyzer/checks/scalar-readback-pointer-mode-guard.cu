// A guard object sets the pointer mode of the handle that it was made with, and its end puts the mode back.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// Saves the mode, and restores what it saved.
struct DeviceResults {
  explicit DeviceResults(cublasHandle_t handle) : handle_(handle) {
    cublasGetPointerMode(handle_, &before_);
    cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
  }
  ~DeviceResults() { cublasSetPointerMode(handle_, before_); }
  cublasHandle_t handle_;
  cublasPointerMode_t before_;
};
void restored(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    {
      DeviceResults guard(handle);
      cublasSnrm2(handle, n, x, 1, result);
    }
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// Puts back the host mode, whatever it was.
struct HostAfterwards {
  explicit HostAfterwards(cublasHandle_t handle) : handle_(handle) {
    cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
  }
  ~HostAfterwards() { cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST); }
  cublasHandle_t handle_;
};
void put_back(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    {
      HostAfterwards guard(handle);
      cublasSnrm2(handle, n, x, 1, result);
    }
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// A guard for another handle.
void other_handle(cublasHandle_t guarded, cublasHandle_t handle, float* x, int n, int steps) {
  float norm;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    DeviceResults guard(guarded);
    cublasSnrm2(handle, n, x, 1, &norm);  // expect-high [scalar-readback]
  }
}

// In device mode already: the guard's end restores that.
void device_around(cublasHandle_t handle, float* x, float* result, int n, int steps) {
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    {
      DeviceResults guard(handle);
      cublasSnrm2(handle, n, x, 1, result);
    }
    cublasSnrm2(handle, n, x, 1, result);
  }
}

// The guard is in the function that the loop calls.
class Net {
 public:
  void run(float* x, float* result, int n, int steps) {
    float norm;
    for (int i = 0; i < steps; ++i) {
      k<<<1, 256>>>(x, n);
      quiet(x, result, n);
      cublasSnrm2(blas_, n, x, 1, &norm);  // expect-high [scalar-readback]
    }
  }

 private:
  void quiet(float* x, float* result, int n) {
    DeviceResults guard(blas_);
    cublasSnrm2(blas_, n, x, 1, result);
  }
  cublasHandle_t blas_;
};
