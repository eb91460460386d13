// Memory that is pinned, managed, on the device, or not known: silence.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

__global__ void k(float* x, int n);

template <typename T>
struct PinnedAllocator {
  using value_type = T;
  PinnedAllocator() = default;
  template <typename U>
  PinnedAllocator(const PinnedAllocator<U>&) {}
  T* allocate(size_t n) {
    void* p = nullptr;
    cudaMallocHost(&p, n * sizeof(T));
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t) { cudaFreeHost(p); }
  template <typename U>
  bool operator==(const PinnedAllocator<U>&) const { return true; }
  template <typename U>
  bool operator!=(const PinnedAllocator<U>&) const { return false; }
};

struct Batch {
  float* pixels;
  int* labels;
};

cudaError_t allocate_pinned(void** p, size_t bytes) { return cudaHostAlloc(p, bytes, cudaHostAllocDefault); }
template <typename T>
T* pinned_array(size_t n) {
  T* p = nullptr;
  cudaMallocHost((void**)&p, n * sizeof(T));
  return p;
}
void make_pinned(float*& out, size_t n) { cudaMallocHost(&out, n * sizeof(float)); }
float* somewhere_else(int n);

class Buffers {
 public:
  explicit Buffers(size_t n) {
    for (int i = 0; i < 2; ++i) cudaMallocHost(&slots_[i], n * sizeof(float));
    cudaHostAlloc(&write_combined_, n * sizeof(float), cudaHostAllocWriteCombined);
  }
  float* slot(int i) { return slots_[i]; }
  float* write_combined() { return write_combined_; }

 private:
  float* slots_[2];
  float* write_combined_ = nullptr;
};

void pinned(float* x, float* given, int n, int steps, cudaStream_t s) {
  float *a, *b, *c, *d, *managed, *device;
  cudaMallocHost((void**)&a, n * sizeof(float));
  cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocPortable);
  allocate_pinned((void**)&c, n * sizeof(float));
  make_pinned(d, n);
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  float* e = pinned_array<float>(n);
  std::vector<float, PinnedAllocator<float>> v(n);
  Buffers buffers(n);
  Batch batch;
  cudaMallocHost(&batch.pixels, n * sizeof(float));
  batch.labels = pinned_array<int>(n);
  float* registered = (float*)malloc(n * sizeof(float));
  cudaHostRegister(registered, n * sizeof(float), cudaHostRegisterDefault);
  float* front = a;
  float* back = b;
  float* ring[2] = {a, b};
  float* elsewhere = somewhere_else(n);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, a, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, b + step, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, c, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, d, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, e, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, managed, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, device, n * 4, cudaMemcpyDefault, s);
    cudaMemcpyAsync(x, v.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, &v[0], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, buffers.slot(step % 2), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, buffers.write_combined(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, batch.pixels, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, batch.labels, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, registered, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, ring[step & 1], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, front, n * 4, cudaMemcpyHostToDevice, s);
    std::swap(front, back);
    cudaMemcpyAsync(x, given, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, elsewhere, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, device, n * 4, cudaMemcpyDeviceToDevice, s);
    k<<<1, 256, 0, s>>>(x, n);
  }
}

// Pinned when it can be had, else pageable: not proved.
void either(float* x, int n, int steps, cudaStream_t s) {
  float* host = nullptr;
  if (cudaMallocHost(&host, n * sizeof(float)) != cudaSuccess) host = (float*)malloc(n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, host, n * sizeof(float), cudaMemcpyHostToDevice, s);
    k<<<1, 256, 0, s>>>(x, n);
  }
}
