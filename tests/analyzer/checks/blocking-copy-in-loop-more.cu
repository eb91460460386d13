// Copies in classes, templates and by other spellings.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <span>
#include <vector>

__global__ void k(float* x, int n);

template <typename T>
class Buffer {
 public:
  explicit Buffer(size_t n) : host_(n) { cudaMalloc(&device_, n * sizeof(T)); }
  void upload() { cudaMemcpy(device_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice); }
  void download() { cudaMemcpy(host_.data(), device_, host_.size() * sizeof(T), cudaMemcpyDeviceToHost); }
  void copy_from(const Buffer& other) {
    cudaMemcpy(device_, other.device_, host_.size() * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  T* device() { return device_; }
  std::vector<T>& host() { return host_; }

 private:
  T* device_ = nullptr;
  std::vector<T> host_;
};

void buffers(int n, int steps) {
  Buffer<float> a(n), b(n);
  Buffer<int> c(n);
  a.upload();
  for (int i = 0; i < steps; ++i) {
    a.upload();    // expect-high {{to the GPU}} [blocking-copy-in-loop]
    c.upload();    // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(a.device(), n);
    b.copy_from(a);
    b.download();  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(b.device(), n);
  }
  b.download();
}

// The direction comes through a parameter.
void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) { cudaMemcpy(to, from, bytes, kind); }
void by_kind(float* x, float* y, float* host, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    copy(x, host, n * 4, cudaMemcpyHostToDevice);  // expect-high {{to the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    copy(y, x, n * 4, cudaMemcpyDeviceToDevice);
  }
}

void driver(CUfunction f, CUdeviceptr d, float* host, size_t n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cuMemcpyHtoD(d, host, n * 4);  // expect-high [blocking-copy-in-loop]
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    cuMemcpyDtoH(host, d, n * 4);  // expect-high [blocking-copy-in-loop]
    cuMemcpyDtoD(d + 64, d, n);
  }
}

void cublas(float* x, const float* host, float* back, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cublasSetVector(n, sizeof(float), host, 1, x, 1);  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    cublasGetVector(n, sizeof(float), x, 1, back, 1);  // expect-high [blocking-copy-in-loop]
  }
}

// Validation every n steps, and a lazily made table.
void gated(float* x, float* host, int n, int steps) {
  static float* table = nullptr;
  for (int i = 0; i < steps; ++i) {
    if (table == nullptr) {
      cudaMalloc(&table, n * 4);
      cudaMemcpy(table, host, n * 4, cudaMemcpyHostToDevice);
    }
    k<<<1, 256>>>(x, n);
    if (i % 1000 == 0) cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
  }
}
