// What an allocator hands out is what its allocate() takes, whatever the allocator is called.
#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>

__global__ void step(float* x, int n);

// Pageable memory in a class that says it is pinned.
template <typename T>
struct PinnedAllocator {
  using value_type = T;
  PinnedAllocator() = default;
  template <typename U>
  PinnedAllocator(const PinnedAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(aligned_alloc(4096, n * sizeof(T))); }
  void deallocate(T* p, size_t) { free(p); }
};

// Pinned memory in a class that does not say so, through a function.
inline void* take(size_t bytes) {
  void* p = nullptr;
  if (cudaHostAlloc(&p, bytes, cudaHostAllocDefault) != cudaSuccess) p = malloc(bytes);
  return p;
}
template <typename T>
struct StagingAllocator {
  using value_type = T;
  StagingAllocator() = default;
  template <typename U>
  StagingAllocator(const StagingAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(take(n * sizeof(T))); }
  void deallocate(T* p, size_t) { cudaFreeHost(p); }
};

// Nothing shows what this one takes.
void* take_from_elsewhere(size_t bytes);
template <typename T>
struct PinnedArena {
  using value_type = T;
  PinnedArena() = default;
  template <typename U>
  PinnedArena(const PinnedArena<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(take_from_elsewhere(n * sizeof(T))); }
  void deallocate(T*, size_t) {}
};

void train(float* x, int n, int steps, cudaStream_t s) {
  std::vector<float, PinnedAllocator<float>> a(n);
  std::vector<float, StagingAllocator<float>> b(n);
  std::vector<float, PinnedArena<float>> c(n);
  for (int i = 0; i < steps; ++i) {
    a[0] = b[0] = c[0] = float(i);
    cudaMemcpyAsync(x, a.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    step<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(x, b.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);
    step<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(x, c.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);
    step<<<1, 256, 0, s>>>(x, n);
  }
}
