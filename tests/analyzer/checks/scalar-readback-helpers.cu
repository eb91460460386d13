// A helper that computes a number and reads it back is told at each of its hot callers.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);
__global__ void reduce(const float* x, float* sum, int n);

#define CHECK(call) \
  do {              \
    if ((call) != CUBLAS_STATUS_SUCCESS) throw 1; \
  } while (0)

void dot(cublasHandle_t handle, int n, const float* x, const float* y, float* result) {
  CHECK(cublasSdot(handle, n, x, 1, y, 1, result));
}

float total(const float* x, float* sum, int n) {
  reduce<<<1, 256>>>(x, sum, n);
  float host;
  cudaMemcpy(&host, sum, sizeof(float), cudaMemcpyDeviceToHost);
  return host;
}

struct Loss {
  virtual ~Loss() = default;
  virtual float forward(cublasHandle_t handle, float* x, int n) = 0;
};
struct Euclidean : Loss {
  float forward(cublasHandle_t handle, float* x, int n) override {
    k<<<1, 256>>>(x, n);
    float result;
    dot(handle, n, x, x, &result);  // expect-high [scalar-readback]
    return result;
  }
};

float norm(float* x, float* sum, int n) { return total(x, sum, n); }  // expect-high [scalar-readback]

float clip(cublasHandle_t handle, float* x, int n) {
  k<<<1, 256>>>(x, n);
  float result;
  dot(handle, n, x, x, &result);  // expect-high [scalar-readback]
  return result;
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *x, *sum;
  cudaMalloc(&x, 1024);
  cudaMalloc(&sum, 4);
  Loss* loss = new Euclidean;
  float before = total(x, sum, 256);
  for (int step = 0; step < 1000; ++step) {
    k<<<1, 256>>>(x, 256);
    before += loss->forward(handle, x, 256) + clip(handle, x, 256) + norm(x, sum, 256);
    before += total(x, sum, 256);  // expect-high [scalar-readback]
  }
}
