// Read-backs that are wrapped, sized elsewhere, or asynchronous.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void k(float* x, int n);

#define cudaCheck(e) do { if ((e) != cudaSuccess) exit(1); } while (0)

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : n_(n) { cudaMalloc(&data_, n * sizeof(T)); }
  T* data() { return data_; }
  void copy_to_host(T* to) const { cudaCheck(cudaMemcpy(to, data_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); }
  T first() const {
    T value;
    cudaCheck(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }

 private:
  T* data_ = nullptr;
  size_t n_;
};

void typed(int n, int steps) {
  DeviceArray<float> x(n);
  DeviceArray<int> flag(1);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x.data(), n);
    float v = x.first();      // expect-high {{4 bytes}} [branch-on-device]
    k<<<1, 256>>>(x.data(), n);
    int f = flag.first();     // expect-high {{4 bytes}} [branch-on-device]
    if (std::isnan(v) || f) break;
  }
}

// cudaMemcpyDefault and a member on the stack.
struct Meter {
  float loss = 0;
  void read(const float* device_loss) {
    cudaMemcpy(&loss, device_loss, sizeof(loss), cudaMemcpyDeviceToHost);
  }
};
void by_meter(float* x, int n, int steps) {
  float* device_loss;
  cudaMalloc(&device_loss, sizeof(float));
  Meter meter;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    meter.read(device_loss);  // expect-high [scalar-readback]
    k<<<1, 256>>>(x, n);
    float loss;
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDefault);  // expect-high [scalar-readback]
  }
}

// Symbols.
__device__ float total;
void symbols(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    float h;
    cudaMemcpyFromSymbol(&h, total, sizeof(float));  // expect-high {{4 bytes}} [scalar-readback]
  }
}

// Driver API.
#include <cuda.h>
void driver(CUfunction f, CUdeviceptr loss, int steps) {
  for (int i = 0; i < steps; ++i) {
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    float h;
    cuMemcpyDtoH(&h, loss, sizeof(h));  // expect-high {{4 bytes}} [scalar-readback]
  }
}

// Convergence every step on a CPU-only solver: nothing of the GPU in the loop.
double norm(const std::vector<double>& v) {
  double s = 0;
  for (double d : v) s += d * d;
  return std::sqrt(s);
}
