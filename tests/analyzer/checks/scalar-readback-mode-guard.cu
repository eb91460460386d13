// A guard sets cuBLAS's device mode and puts the saved mode back: after its scope, results come to the host again.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x) { *x += 1; }

struct DeviceMode {
  explicit DeviceMode(cublasHandle_t h) : handle(h) {
    cublasGetPointerMode(handle, &saved);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  }
  ~DeviceMode() { cublasSetPointerMode(handle, saved); }
  cublasHandle_t handle;
  cublasPointerMode_t saved;
};

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *d, *r, h;
  cudaMalloc(&d, 400);
  cudaMalloc(&r, 4);
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    {
      DeviceMode guard(handle);
      cublasSdot(handle, 100, d, 1, d, 1, r);
    }
    cublasSdot(handle, 100, d, 1, d, 1, &h);  // expect-high [branch-on-device]
    if (h > 3) k<<<1, 1>>>(d);
  }
}
